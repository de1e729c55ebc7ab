import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Writable, type Stream } from 'node:stream';

export type ChildCommand = {
  command: string;
  args: string[];
  logFile: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
};

export type Child = {
  pid: number;
  /** Resolves with the exit code or the signal's name; never rejects. */
  exited: Promise<number | NodeJS.Signals>;
  hasExited(): boolean;
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL after the grace time. */
  stop(graceMs?: number): Promise<void>;
};

// The guard holds the reading end of a pipe (3) whose writing end only we have. A line says "ended as it should";
// an end without a line means that we are gone, however we went, and then the program must not outlive us.
// `exec` keeps the pid, so the pid, exit code and signals that we see are the program's own. The pipe is not
// stdin, since Node closes that one itself, without a line, when the program ends.
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

const exitOf = (child: ChildProcess): Promise<number | NodeJS.Signals> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 0));
    child.once('error', () => resolve(127));
  });

/**
 * Starts a program in a process group of its own, so that Ctrl-C in the terminal reaches only us and we end the
 * rest in order. It ends when this process ends, even by SIGKILL.
 */
export const startChild = ({ command, args, logFile, env, cwd }: ChildCommand): Child => {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn('/bin/sh', ['-c', GUARDED, 'sh', command, ...args], {
    stdio: ['ignore', log, log, 'pipe'],
    detached: true,
    ...(env ? { env } : {}),
    ...(cwd ? { cwd } : {}),
  });
  closeSync(log);
  let over = false;
  const exited = exitOf(child).then((how) => {
    over = true;
    release(child.stdio[3]);
    return how;
  });
  const kill = (signal: NodeJS.Signals): void => {
    if (!over) child.kill(signal);
  };
  const stop = async (graceMs = 15_000): Promise<void> => {
    kill('SIGTERM');
    const timer = setTimeout(() => kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(timer);
  };
  return { pid: child.pid ?? 0, exited, hasExited: () => over, kill, stop };
};

/** Runs a command should this process end without having called the returned function. */
export const whenOrphaned = (command: string, args: string[], env?: NodeJS.ProcessEnv): (() => void) => {
  const guard = spawn('/bin/sh', ['-c', ORPHAN_GUARD, 'sh', command, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    ...(env ? { env } : {}),
  });
  guard.unref();
  return () => release(guard.stdin);
};
