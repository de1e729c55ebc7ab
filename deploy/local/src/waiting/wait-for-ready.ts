import { setTimeout as sleep } from 'node:timers/promises';
import type { Child, Exit } from '../host/child.ts';
import { StartError } from '../host/errors.ts';
import { displayPath, sizeOf } from '../host/log-file.ts';
import type { Print } from '../host/print.ts';
import { readCpuTimes } from './cpu-time.ts';
import { findLogProblem, lastLogMessage } from './log-problem.ts';

/** Resolves with null when the target is ready, otherwise with the reason why it is not. */
export type ReadinessCheck = () => Promise<string | null>;

/** Without a child (a container, a remote server) only the hard limit applies, since its activity is not visible. */
export type WaitTarget = {
  name: string;
  check: ReadinessCheck;
  child?: Pick<Child, 'pid' | 'logFile' | 'log' | 'exit'>;
};

export type WaitLimits = {
  /** The longest wait. */
  limitMs: number;
  /** The longest time without any activity: no new log line, no CPU time, no change of the reason. */
  idleLimitMs: number;
  /** The time between two samples of the activity, each of which prints a line per reason. */
  reportEveryMs: number;
};

export type WaitOptions = {
  print?: Print | undefined;
  signal?: AbortSignal | undefined;
  limits?: Partial<WaitLimits> | undefined;
};

const LIMITS: WaitLimits = { limitMs: 5 * 60_000, idleLimitMs: 60_000, reportEveryMs: 5_000 };

type Pending = { target: WaitTarget; reason: string; activity: string; activeAt: number };

const checkAgain = async (pending: Pending[]): Promise<Pending[]> => {
  const reasons = await Promise.all(pending.map(({ target }) => target.check()));
  return pending.flatMap((entry, index) => {
    const reason = reasons[index];
    return typeof reason === 'string' ? [{ ...entry, reason }] : [];
  });
};

const sampleActivity = async (pending: Pending[], now: number): Promise<Pending[]> => {
  const cpuTimes = await readCpuTimes();
  return pending.map((entry) => {
    const { child } = entry.target;
    const activity = [entry.reason, child && sizeOf(child.logFile), child && cpuTimes(child.pid)].join('|');
    return activity === entry.activity ? entry : { ...entry, activity, activeAt: now };
  });
};

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
const duration = (ms: number): string => (ms < 120_000 ? seconds(ms) : `${Math.round(ms / 60_000)} minutes`);

const causeOf = ({ target, reason }: Pending): string => {
  const problem = findLogProblem(target.child?.log() ?? '');
  return problem && !reason.includes(problem) ? `${reason}; last error in its log: ${problem}` : reason;
};

const printPending = (pending: Pending[], elapsedMs: number, print: Print): void => {
  const namesByCause = new Map<string, string[]>();
  for (const entry of pending) {
    const cause = causeOf(entry);
    namesByCause.set(cause, [...(namesByCause.get(cause) ?? []), entry.target.name]);
  }
  for (const [cause, names] of namesByCause)
    print(`Waiting for ${names.join(', ')}: ${cause} (${seconds(elapsedMs)})`);
};

/** A name such as "the build of web" begins an error message. */
export const capitalize = (name: string): string => name.replace(/^the /, 'The ');

const logHint = ({ child }: WaitTarget): string => (child ? ` Its log: ${displayPath(child.logFile)}` : '');

export const describeExit = (exit: Exit): string => (typeof exit === 'number' ? `exit code ${exit}` : exit);

const requireRunning = (targets: readonly WaitTarget[]): void => {
  for (const target of targets) {
    const exit = target.child?.exit() ?? null;
    if (exit === null) continue;
    const cause = lastLogMessage(target.child?.log() ?? '');
    throw new StartError(
      `${capitalize(target.name)} ended before it was ready (${describeExit(exit)}): ${cause}.${logHint(target)}`,
    );
  }
};

const notReady = (entry: Pending, state: string): StartError =>
  new StartError(`${capitalize(entry.target.name)} ${state}: ${causeOf(entry)}.${logHint(entry.target)}`);

type Times = WaitLimits & { elapsedMs: number; now: number };

const requireTimeLeft = (pending: Pending[], { elapsedMs, limitMs, idleLimitMs, now }: Times): void => {
  // The entry without activity for the longest time is the one that hangs; the others may only wait for it.
  const [suspect] = pending.toSorted((a, b) => a.activeAt - b.activeAt);
  if (!suspect) return;
  if (elapsedMs >= limitMs) throw notReady(suspect, `is not ready after ${duration(elapsedMs)}`);
  const observable = pending.every(({ target }) => target.child);
  const idleMs = now - Math.max(...pending.map(({ activeAt }) => activeAt));
  if (observable && idleMs >= idleLimitMs)
    throw notReady(suspect, `is not ready and has shown no activity for ${duration(idleMs)}`);
};

// A check costs the process CPU time, which a slow machine lacks.
const pauseAfter = (elapsedMs: number): number => (elapsedMs < 10_000 ? 100 : 1_000);

/**
 * Waits until every target is ready. Throws a `StartError` that names the target and the reason as soon as one of them has
 * ended, when none of those that are not ready shows activity any more, or at the hard limit.
 */
export const waitForReady = async (
  targets: readonly WaitTarget[],
  { print = () => undefined, signal, limits }: WaitOptions = {},
): Promise<void> => {
  const times = { ...LIMITS, ...limits };
  const start = performance.now();
  let reportedAt = start;
  let pending: Pending[] = targets.map((target) => ({ target, reason: '', activity: '', activeAt: start }));
  while (pending.length > 0) {
    pending = await checkAgain(pending);
    signal?.throwIfAborted();
    if (pending.length === 0) return;
    requireRunning(targets);
    const now = performance.now();
    const elapsedMs = now - start;
    if (now - reportedAt >= times.reportEveryMs) {
      reportedAt = now;
      pending = await sampleActivity(pending, now);
      printPending(pending, elapsedMs, print);
    }
    requireTimeLeft(pending, { ...times, elapsedMs, now });
    await sleep(pauseAfter(elapsedMs));
  }
};
