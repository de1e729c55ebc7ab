import { setTimeout as sleep } from 'node:timers/promises';
import { fillPath, type Endpoint } from '@shortlist/contracts/api/endpoint';
import { ERRORS, type ErrorReply } from '@shortlist/contracts/errors';
import { type AppError, createError, isUnavailable } from '../process/errors.ts';
import type { Caller, TokenSigner } from './service-token.ts';
import { currentTraceparent } from '../process/trace.ts';

/** How another of our services is asked: reads are tried again, changes never, and every answer has a time limit. */
export type ServiceClient = <Input extends object, Reply>(
  endpoint: Endpoint<Input, Reply>,
  input: Input,
  options: { caller: Caller; headers?: Record<string, string>; timeoutMs?: number },
) => Promise<Reply>;

const TIMEOUT_MS = 5_000;
const READ_TRIES = 3;

const isErrorReply = (body: unknown): body is ErrorReply =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';

/** How long the other service asked to be left alone, in seconds; our services say it in no other way. */
const retryAfterOf = (response: Response): { retryAfterSeconds?: number } => {
  const seconds = response.headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? { retryAfterSeconds: Number(seconds) } : {};
};

/** The other service's own error, carried on; anything unreadable becomes `service.unavailable`. */
const errorFrom = async (response: Response): Promise<AppError> => {
  const body: unknown = await response.json().catch(() => null);
  if (isErrorReply(body) && body.error.code in ERRORS && body.error.code !== 'service.token_refused') {
    const { code, fields } = body.error;
    return createError(code, { ...retryAfterOf(response), ...(fields ? { fields } : {}) });
  }
  return createError('service.unavailable', { cause: new Error(`status ${response.status}`) });
};

const requestFor = (endpoint: Endpoint<never, unknown>, input: object) => {
  const { path, used } = fillPath(endpoint.path, input as Record<string, unknown>);
  const rest = Object.entries(input).filter(([name, value]) => !used.has(name) && value !== undefined);
  if (endpoint.method === 'GET') {
    const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]));
    return { path: query.size > 0 ? `${path}?${query.toString()}` : path, body: null };
  }
  const bytes = rest.find(([, value]) => value instanceof Uint8Array)?.[1] as
    Uint8Array<ArrayBuffer> | undefined;
  return { path, body: bytes ?? JSON.stringify(Object.fromEntries(rest)) };
};

export const createServiceClient = ({
  audience,
  url,
  sign,
}: {
  audience: string;
  url: string;
  sign: TokenSigner;
}): ServiceClient => {
  const ask: ServiceClient = async (endpoint, input, { caller, headers = {}, timeoutMs = TIMEOUT_MS }) => {
    const { path, body } = requestFor(endpoint, input);
    const response = await fetch(`${url}${path}`, {
      method: endpoint.method,
      headers: {
        ...headers,
        authorization: `Bearer ${await sign(audience, caller)}`,
        traceparent: currentTraceparent(),
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(body instanceof Uint8Array ? { 'content-type': 'application/octet-stream' } : {}),
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    }).catch((cause: unknown) => {
      const late = cause instanceof DOMException && cause.name === 'TimeoutError';
      throw createError(late ? 'service.timeout' : 'service.unavailable', { cause });
    });
    if (!response.ok) throw await errorFrom(response);
    return (await response.json()) as never; // the reply's form is the other side's contract, held by its own tests
  };
  return async (endpoint, input, options) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(endpoint, input, options);
      } catch (error) {
        if (endpoint.method !== 'GET' || attempt === READ_TRIES || !isUnavailable(error)) throw error;
        await sleep(20 * attempt + Math.random() * 30);
      }
    }
  };
};
