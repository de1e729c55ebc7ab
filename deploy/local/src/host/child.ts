import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { Writable, type Stream } from 'node:stream';
import { readLog } from './messages.ts';

export type ChildCommand = {
  command: string;
  args: string[];
  logFile: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
};

/** An exit code, or the name of the signal that ended the process. */
export type Exit = number | NodeJS.Signals;

export type Child = {
  pid: number;
  logFile: string;
  /** Never rejects. */
  exited: Promise<Exit>;
  /** Null while the process runs. */
  exit(): Exit | null;
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL after the grace time. */
  stop(graceMs?: number): Promise<void>;
  /** What this process has written to its log, without the output of earlier ones. */
  log(): string;
};

// The guard reads a pipe (3) whose writing end only this process has. A line means that the program has ended by itself; an
// end of file without a line means that this process is gone, even by SIGKILL, and then the guard ends the program.
// `exec` keeps the pid, so the pid, exit code and signals are the program's own. The pipe is not stdin, since Node closes
// that one itself, without a line, when the program ends.
const GUARDED = `
(
  trap '' INT TERM HUP
  read -r ended <&3 && exit
  kill -TERM $$
  for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 1; kill -0 $$ || exit; done
  kill -KILL $$
) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-
`;

const ORPHAN_GUARD = `read -r ended && exit; exec "$@" </dev/null`;

const release = (pipe: Stream | null | undefined): void => {
  if (!(pipe instanceof Writable)) return;
  pipe.on('error', () => undefined);
  pipe.end('ended\n');
};

const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
    child.once('error', () => resolve(127));
  });

/**
 * Starts a program in a process group of its own, so that Ctrl-C in the terminal reaches only this process, which then ends
 * the others in order. The program ends when this process ends, even by SIGKILL.
 */
export const startChild = ({ command, args, logFile, env, cwd }: ChildCommand): Child => {
  const log = openSync(logFile, 'a', 0o600);
  const logStart = fstatSync(log).size;
  const child = spawn('/bin/sh', ['-c', GUARDED, 'sh', command, ...args], {
    stdio: ['ignore', log, log, 'pipe'],
    detached: true,
    env,
    cwd,
  });
  closeSync(log);
  let exit: Exit | null = null;
  const exited = exitOf(child).then((how) => {
    exit = how;
    release(child.stdio[3]);
    return how;
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (exit === null) child.kill(signal);
  };
  const stop = async (graceMs = 15_000): Promise<void> => {
    kill('SIGTERM');
    const timer = setTimeout(() => kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(timer);
  };
  return {
    pid: child.pid ?? 0,
    logFile,
    exited,
    exit: () => exit,
    kill,
    stop,
    log: () => readLog(logFile, logStart),
  };
};

/** Runs a command if this process ends before it calls the returned function. */
export const runWhenOrphaned = (command: string, args: string[], env?: NodeJS.ProcessEnv): (() => void) => {
  const guard = spawn('/bin/sh', ['-c', ORPHAN_GUARD, 'sh', command, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env,
  });
  guard.unref();
  return () => release(guard.stdin);
};
