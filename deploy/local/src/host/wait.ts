import { setTimeout as sleep } from 'node:timers/promises';
import { hours, minutes } from '@shortlist/contracts/durations';
import { type Child, type ChildCommand, startChild } from './child.ts';
import { findLogProblem, messageOf, type Print, StartError } from './messages.ts';

/** Resolves with null when the target is ready, otherwise with the reason why it is not. */
export type ReadinessCheck = () => Promise<string | null>;

/** A target without a child is a container or a remote server. */
export type WaitTarget = {
  name: string;
  check: ReadinessCheck;
  child?: Pick<Child, 'logFile' | 'log' | 'exit'>;
};

export type WaitOptions = {
  print?: Print | undefined;
  signal?: AbortSignal | undefined;
  limitMs?: number | undefined;
};

const LIMIT_MS = minutes(5);
/** For a download over a slow line. */
export const DOWNLOAD_LIMIT_MS = hours(1);
const CHECK_EVERY_MS = 200;
const REPORT_EVERY_MS = 5_000;

const toSeconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

type Pending = { target: WaitTarget; reason: string };

const listPending = async (targets: readonly WaitTarget[]): Promise<Pending[]> => {
  const results = await Promise.all(
    targets.map(async (target) => ({ target, reason: await target.check() })),
  );
  return results.flatMap(({ target, reason }) => (reason === null ? [] : [{ target, reason }]));
};

const causeOf = ({ target, reason }: Pending): string => {
  const problem = findLogProblem(target.child?.log() ?? '');
  return problem && !reason.includes(problem) ? `${reason}; last error in its log: ${problem}` : reason;
};

const problemOf = (child: Pick<Child, 'log' | 'logFile'>): string =>
  `${findLogProblem(child.log()) || 'its log reports no error'}. Its log: ${child.logFile}`;

const requireRunning = (targets: readonly WaitTarget[]): void => {
  for (const { name, child } of targets) {
    const exit = child?.exit() ?? null;
    if (!child || exit === null) continue;
    throw new StartError(`${name} ended with ${exit} before it was ready: ${problemOf(child)}`);
  }
};

const describePending = (pending: Pending[]): string =>
  pending.map((entry) => `${entry.target.name} (${causeOf(entry)})`).join(', ');

const requireTime = (pending: Pending[], elapsedMs: number, limitMs: number): void => {
  if (elapsedMs < limitMs) return;
  const logs = pending.flatMap(({ target }) => target.child?.logFile ?? []);
  throw new StartError(
    `Not ready after ${toSeconds(elapsedMs)}: ${describePending(pending)}. Logs: ${logs.join(', ') || 'none here'}`,
  );
};

/**
 * Waits until every target is ready. Throws a `StartError` that names the target and the reason as soon as one of them has
 * ended, or at the time limit.
 */
export const waitForReady = async (
  targets: readonly WaitTarget[],
  { print = () => undefined, signal, limitMs = LIMIT_MS }: WaitOptions = {},
): Promise<void> => {
  const start = performance.now();
  let reportedMs = 0;
  let pending = await listPending(targets);
  while (pending.length > 0) {
    signal?.throwIfAborted();
    requireRunning(targets);
    const elapsedMs = performance.now() - start;
    requireTime(pending, elapsedMs, limitMs);
    if (elapsedMs - reportedMs >= REPORT_EVERY_MS) {
      print(`Waiting for ${describePending(pending)}, ${toSeconds(elapsedMs)} so far`);
      reportedMs = elapsedMs;
    }
    await sleep(CHECK_EVERY_MS);
    pending = await listPending(targets);
  }
  signal?.throwIfAborted();
};

type Program = ChildCommand & { name: string };

/** Runs a program that may take long to its end. Throws a `StartError` when it fails or hangs; its output is in its log. */
export const runProgram = async (program: Program, options: WaitOptions = {}): Promise<void> => {
  const child = startChild(program);
  const check: ReadinessCheck = () => Promise.resolve(child.exit() === null ? 'still running' : null);
  // The end of the program is the success of this wait, so the wait does not see it as an exit.
  const target = { name: program.name, check, child: { ...child, exit: () => null } };
  try {
    await waitForReady([target], options);
  } catch (error) {
    await child.stop(2_000);
    throw error;
  }
  const exit = await child.exited;
  if (exit === 0) return;
  throw new StartError(`${program.name} failed with ${exit}: ${problemOf(child)}`);
};

const CHECK_TIMEOUT_MS = 5_000;

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
  if (name === 'TimeoutError') return `no response within ${CHECK_TIMEOUT_MS / 1000} s`;
  if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED') return 'not listening yet';
  return messageOf(cause ?? error);
};

/** Returns null when `url` responds with success, otherwise the reason why it does not. */
export const checkHttp = async (url: string): Promise<string | null> => {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      headers: { connection: 'close' },
    });
    const body = await response.text();
    return response.ok ? null : failedChecks(body) || `status ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
};
