import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { answers } from './answers.ts';
import { startChild, type Child } from './child.ts';
import type { ProcessPlan } from './processes.ts';
import { lastLines } from './programs.ts';
import type { Tell } from './tell.ts';
import { waitUntil } from './wait.ts';

export type Supervised = {
  readonly name: string;
  readonly pid: number;
  /** Did it end without having been asked to? */
  hasEnded(): boolean;
  isReady(): Promise<boolean>;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
  start(): void;
  /** Stops it if need be, starts it and waits until it is ready. */
  restart(): Promise<void>;
  /** From now on a process that dies is started again. */
  keepAlive(): void;
  logs(): string;
  describeEnd(): string;
};

export type Surroundings = {
  logDirectory: string;
  cwd: string;
  tell: Tell;
  /** Starts its program anew whenever a file that it is made of changes. */
  watch?: boolean;
};

const READY_LIMIT_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
// A process that ran this long has earned a quick restart again.
const HEALTHY_MS = 20_000;
// Nobody kills itself by SIGKILL for want of something that will be missing again: whoever was killed comes back at once.
const KILLED_PAUSE_MS = 100;
const STOP_GRACE_MS = 20_000;
const WATCHING = ['--watch', '--watch-preserve-output'];

const answersReady = (port: number): Promise<boolean> => answers(`http://127.0.0.1:${port}/health/ready`);

type End = { how: number | NodeJS.Signals; ranMs: number };

/** How long to wait before a start, and what comes of it for the next time. */
const pauseAfter = ({ how, ranMs }: End, pause: number): { now: number; next: number } => {
  if (how === 'SIGKILL') return { now: KILLED_PAUSE_MS, next: pause };
  const now = ranMs > HEALTHY_MS ? FIRST_PAUSE_MS : pause;
  return { now, next: Math.min(now * 2, LONGEST_PAUSE_MS) };
};

type State = { child: Child | null; wanted: boolean; keptAlive: boolean; pause: number; startedAt: number };

const readLog = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** One process of the system; its log of the run before is kept beside. */
export const supervise = async (plan: ProcessPlan, surroundings: Surroundings): Promise<Supervised> => {
  const { tell, cwd, logDirectory } = surroundings;
  const logFile = `${logDirectory}/${plan.name}.log`;
  await rename(logFile, `${logDirectory}/${plan.name}.before.log`).catch(() => undefined);
  const state: State = { child: null, wanted: false, keptAlive: false, pause: FIRST_PAUSE_MS, startedAt: 0 };

  const revive = async (how: number | NodeJS.Signals): Promise<void> => {
    const { now, next } = pauseAfter({ how, ranMs: performance.now() - state.startedAt }, state.pause);
    state.pause = next;
    tell(`${plan.name} ended with ${how}; starting it again in ${now / 1000} s (log: ${logFile}).`);
    await sleep(now);
    if (state.wanted && state.child?.hasExited()) start();
  };
  const start = (): void => {
    state.wanted = true;
    state.startedAt = performance.now();
    const args = [...(surroundings.watch ? WATCHING : []), plan.script];
    const child = startChild({ command: process.execPath, args, logFile, env: plan.env, cwd });
    state.child = child;
    void child.exited.then((how) => {
      const died = state.wanted && state.keptAlive && state.child === child;
      return died ? revive(how) : undefined;
    });
  };
  const stop = async (): Promise<void> => {
    state.wanted = false;
    await state.child?.stop(STOP_GRACE_MS);
  };
  const hasEnded = (): boolean => state.wanted && (state.child?.hasExited() ?? true);
  const isReady = async (): Promise<boolean> => !hasEnded() && (await answersReady(plan.port));
  const describeEnd = (): string => {
    const how = hasEnded() ? 'ended before it was ready' : 'was not ready within a minute';
    return `${plan.name} ${how}. Its last lines (${logFile}):\n${lastLines(readLog(logFile), 20)}`;
  };
  const restart = async (): Promise<void> => {
    await stop();
    start();
    if (!(await waitUntil(isReady, { limitMs: READY_LIMIT_MS, give: hasEnded })))
      throw new Error(describeEnd());
  };
  return {
    name: plan.name,
    get pid() {
      return state.child?.pid ?? 0;
    },
    kill: (signal) => state.child?.kill(signal),
    keepAlive: () => void (state.keptAlive = true),
    logs: () => readLog(logFile),
    ...{ start, stop, restart, hasEnded, isReady, describeEnd },
  };
};
