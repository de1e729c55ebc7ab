import { messageOf } from '../host/errors.ts';

const TIMEOUT_MS = 5_000;

/** Reads the failed checks from the body of a readiness endpoint. */
const failedChecks = (body: string): string => {
  try {
    const { checks } = JSON.parse(body) as { checks: Record<string, string> };
    const failed = Object.entries(checks).filter(([, result]) => result !== 'ok');
    return failed.map(([name, result]) => `${name}: ${result}`).join(', ');
  } catch {
    return '';
  }
};

const reasonOf = (error: unknown): string => {
  const { name, cause } = error as Error;
  if (name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} s`;
  if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED') return 'not listening yet';
  return messageOf(cause ?? error);
};

/** Returns null when `url` responds with success, otherwise the reason why it does not. */
export const checkHttp = async (url: string): Promise<string | null> => {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { connection: 'close' },
    });
    const body = await response.text();
    return response.ok ? null : failedChecks(body) || `status ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
};
