import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, type Exit, startChild } from '../host/child.ts';
import { type Print, readLog } from '../host/messages.ts';
import { checkHttp, waitForReady, type WaitTarget } from '../host/wait.ts';
import type { ProcessPlan } from './processes.ts';

type SupervisorOptions = {
  logDirectory: string;
  cwd: string;
  print: Print;
  /** Restart the program when one of its source files changes. */
  watch: boolean;
};

const RESTART_PAUSE_MS = 500;
const STOP_GRACE_MS = 20_000;
const WATCH_FLAGS = ['--watch', '--watch-preserve-output'];

/** Supervises one process. The log of the previous run stays in `<name>.before.log`. */
export const supervise = (plan: ProcessPlan, { logDirectory, cwd, print, watch }: SupervisorOptions) => {
  const logFile = join(logDirectory, `${plan.name}.log`);
  if (existsSync(logFile)) renameSync(logFile, join(logDirectory, `${plan.name}.before.log`));
  let child: Child | null = null;
  let isWanted = false;
  let isKeptAlive = false;

  const startAgain = async (exit: Exit): Promise<void> => {
    print(`${plan.name} ended with ${exit}; starting it again (log: ${logFile}).`);
    await sleep(RESTART_PAUSE_MS);
    if (hasEnded()) start();
  };
  const start = (): void => {
    isWanted = true;
    const args = [...(watch ? WATCH_FLAGS : []), plan.script];
    const started = startChild({ command: process.execPath, args, logFile, env: plan.env, cwd });
    child = started;
    void started.exited.then((exit) => {
      const died = isWanted && isKeptAlive && child === started;
      return died ? startAgain(exit) : undefined;
    });
  };
  const stop = async (): Promise<void> => {
    isWanted = false;
    await child?.stop(STOP_GRACE_MS);
  };
  /** True when the process has ended although `stop` was not called. */
  const hasEnded = (): boolean => isWanted && child?.exit() !== null;
  const check = (): Promise<string | null> => checkHttp(`http://127.0.0.1:${plan.operatorPort}/health/ready`);
  const waitTarget = (): WaitTarget => ({ name: plan.name, check, ...(child ? { child } : {}) });
  return {
    plan,
    get pid(): number {
      return child?.pid ?? 0;
    },
    start,
    stop,
    /** Stops the process if it runs, starts it and waits until it is ready. */
    restart: async (): Promise<void> => {
      await stop();
      start();
      await waitForReady([waitTarget()], { print });
    },
    /** From now on the process is started again when it ends unexpectedly. */
    keepAlive: (): void => void (isKeptAlive = true),
    kill: (signal: NodeJS.Signals): void => child?.kill(signal),
    hasEnded,
    isReady: async (): Promise<boolean> => !hasEnded() && (await check()) === null,
    waitTarget,
    logs: (): string => readLog(logFile),
  };
};

export type SupervisedProcess = ReturnType<typeof supervise>;
