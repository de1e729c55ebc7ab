// Runs the programs of the database server, age and rclone. None gets a secret as an argument, where every user of the machine sees it.
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Environment } from '@shortlist/kit/process/config';

/** A program has failed or is missing. The message is for the operator. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

type Tool = { program: string; args: readonly string[]; env: Environment };

export type RunningTool = {
  stdin: Writable;
  stdout: Readable;
  /** Rejects with a `ToolError` unless the program succeeds. */
  ended: Promise<void>;
};

const ERROR_LENGTH = 500;

const PACKAGES: Readonly<Record<string, string>> = {
  mariadb: 'mariadb-client',
  'mariadb-dump': 'mariadb-client',
  'mariadb-binlog': 'mariadb-client',
};

/** These programs also need a folder for what they remember, and their own settings. */
const INHERITED = /^(PATH|HOME|TMPDIR|RCLONE_.*|AWS_.*)$/;

/** Starts a program, which is killed when `signal` aborts and when this process ends. */
export const startTool = ({ program, args, env }: Tool, signal: AbortSignal): RunningTool => {
  const inherited = Object.entries(env).filter(([name]) => INHERITED.test(name));
  const child = spawn(program, args, {
    env: { ...Object.fromEntries(inherited), TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    signal,
    killSignal: 'SIGKILL',
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const errors = text(child.stderr);
  child.once('error', (error: NodeJS.ErrnoException) => {
    const installation = `${program} is missing: install the package ${PACKAGES[program] ?? program}`;
    reject(error.code === 'ENOENT' ? new ToolError(installation) : error);
  });
  child.once('close', (code, killedBy) => {
    process.off('exit', kill);
    if (code === 0) return resolve();
    void errors.then((printed) =>
      reject(
        new ToolError(
          `${program} failed: ${printed.trim().slice(-ERROR_LENGTH) || `it ended with ${code ?? killedBy}`}`,
        ),
      ),
    );
  });
  child.stdin.on('error', () => undefined); // the program's own message says more than a broken pipe
  ended.catch(() => undefined); // awaited later
  return { stdin: child.stdin, stdout: child.stdout, ended };
};

/** What a step reports when only a later or an earlier one of its pipe has failed. */
const CONSEQUENCE = /EPIPE|broken pipe|errno:? 32|aborted|premature close|unexpected end of file/i;

/** How long the other steps of a broken pipe may take to end by themselves. */
const GRACE_MS = 2_000;

/**
 * Runs the steps of a pipe together. When one fails, the others end, and the error is that of the first step that failed by itself.
 */
export const runTogether = async (
  signal: AbortSignal,
  start: (signal: AbortSignal) => readonly Promise<unknown>[],
): Promise<void> => {
  const stop = new AbortController();
  const errors: Error[] = [];
  const steps = start(AbortSignal.any([signal, stop.signal])).map((step) =>
    step.catch((error: unknown) => {
      errors.push(error as Error);
      // The step that broke the pipe may be about to report it.
      setTimeout(() => stop.abort(), GRACE_MS).unref();
    }),
  );
  await Promise.all(steps);
  signal.throwIfAborted();
  const [first] = errors;
  if (first) throw errors.find((error) => !CONSEQUENCE.test(error.message)) ?? first;
};

/** Runs a program to its end with this input, and returns what it prints. */
export const readTool = async (tool: Tool, signal: AbortSignal, input = ''): Promise<string> => {
  const { stdin, stdout, ended } = startTool(tool, signal);
  stdin.end(input);
  const [printed] = await Promise.all([text(stdout), ended]);
  return printed;
};
