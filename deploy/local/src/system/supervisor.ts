import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, type Exit, startChild } from '../host/child.ts';
import { readLog } from '../host/log-file.ts';
import type { Print } from '../host/print.ts';
import { checkHttp } from '../waiting/http-check.ts';
import { waitForReady, type WaitTarget } from '../waiting/wait-for-ready.ts';
import type { ProcessPlan } from './processes.ts';

export type SupervisedProcess = {
  readonly name: string;
  readonly pid: number;
  /** True when the process has ended although `stop` was not called. */
  hasEnded(): boolean;
  isReady(): Promise<boolean>;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
  start(): void;
  /** Stops the process if it runs, starts it and waits until it is ready. */
  restart(): Promise<void>;
  /** From now on the process is started again when it ends unexpectedly. */
  keepAlive(): void;
  logs(): string;
  waitTarget(): WaitTarget;
};

export type SupervisorOptions = {
  logDirectory: string;
  cwd: string;
  print: Print;
  /** Restart the program when one of its source files changes. */
  watch?: boolean;
  /** How long a process may take to stop before it is killed. */
  stopGraceMs?: number;
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
// After a run of this length the pause starts again from the shortest.
const HEALTHY_MS = 20_000;
// SIGKILL comes from outside, so the cause of the end is not in the process and a long pause has no use.
const KILLED_PAUSE_MS = 100;
const STOP_GRACE_MS = 20_000;
const WATCH_FLAGS = ['--watch', '--watch-preserve-output'];

type End = { exit: Exit; ranMs: number };

/** Returns the pause before the next start, and the pause to begin with after the next end. */
const pauseAfter = ({ exit, ranMs }: End, pause: number): { current: number; next: number } => {
  if (exit === 'SIGKILL') return { current: KILLED_PAUSE_MS, next: pause };
  const current = ranMs > HEALTHY_MS ? FIRST_PAUSE_MS : pause;
  return { current, next: Math.min(current * 2, LONGEST_PAUSE_MS) };
};

type State = { child: Child | null; wanted: boolean; keptAlive: boolean; pause: number; startedAt: number };
type Runner = { state: State; start(): void; stop(): Promise<void> };

const createRunner = (plan: ProcessPlan, logFile: string, options: SupervisorOptions): Runner => {
  const { print, cwd, stopGraceMs = STOP_GRACE_MS } = options;
  const state: State = { child: null, wanted: false, keptAlive: false, pause: FIRST_PAUSE_MS, startedAt: 0 };
  const startAgain = async (exit: Exit): Promise<void> => {
    const { current, next } = pauseAfter({ exit, ranMs: performance.now() - state.startedAt }, state.pause);
    state.pause = next;
    print(`${plan.name} ended with ${exit}; starting it again in ${current / 1000} s (log: ${logFile}).`);
    await sleep(current);
    if (state.wanted && state.child?.exit() !== null) start();
  };
  const start = (): void => {
    state.wanted = true;
    state.startedAt = performance.now();
    const args = [...(options.watch ? WATCH_FLAGS : []), plan.script];
    const child = startChild({ command: process.execPath, args, logFile, env: plan.env, cwd });
    state.child = child;
    void child.exited.then((exit) => {
      const died = state.wanted && state.keptAlive && state.child === child;
      return died ? startAgain(exit) : undefined;
    });
  };
  const stop = async (): Promise<void> => {
    state.wanted = false;
    await state.child?.stop(stopGraceMs);
  };
  return { state, start, stop };
};

/** Supervises one process. The log of the previous run stays in `<name>.before.log`. */
export const supervise = async (
  plan: ProcessPlan,
  options: SupervisorOptions,
): Promise<SupervisedProcess> => {
  const { print, logDirectory } = options;
  const logFile = `${logDirectory}/${plan.name}.log`;
  await rename(logFile, `${logDirectory}/${plan.name}.before.log`).catch(() => undefined);
  const { state, start, stop } = createRunner(plan, logFile, options);

  const check = (): Promise<string | null> => checkHttp(`http://127.0.0.1:${plan.operatorPort}/health/ready`);
  const hasEnded = (): boolean => state.wanted && state.child?.exit() !== null;
  const waitTarget = (): WaitTarget => ({
    name: plan.name,
    check,
    ...(state.child ? { child: state.child } : {}),
  });
  const restart = async (): Promise<void> => {
    await stop();
    start();
    await waitForReady([waitTarget()], { print });
  };
  return {
    name: plan.name,
    get pid() {
      return state.child?.pid ?? 0;
    },
    kill: (signal) => state.child?.kill(signal),
    keepAlive: () => void (state.keptAlive = true),
    logs: () => readLog(logFile),
    isReady: async () => !hasEnded() && (await check()) === null,
    ...{ start, stop, restart, hasEnded, waitTarget },
  };
};
