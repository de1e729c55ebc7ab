import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environment } from './config.ts';

// A plain user's PATH often lacks the folders of daemons.
const EXTRA_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

export const findProgram = (name: string): string | null => {
  const folders = [...(environment().PATH ?? '').split(delimiter), ...EXTRA_FOLDERS].filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
};

/** Returns the path of a program; its name, which a start then reports as missing, when it is not installed. */
export const programPath = (name: string): string => findProgram(name) ?? name;

type RunOptions = { timeout?: number; env?: NodeJS.ProcessEnv };

const MAX_OUTPUT = 16 * 2 ** 20;

/** Runs a short program to its end and returns its output; null when it fails. Never rejects. */
export const readOutput = (
  command: string,
  args: string[],
  options: RunOptions = {},
): Promise<string | null> =>
  new Promise((resolve) => {
    const child = execFile(command, args, { maxBuffer: MAX_OUTPUT, ...options }, (error, output) =>
      resolve(error === null ? output : null),
    );
    child.stdin?.end();
  });

/** Runs a short program to its end and returns whether it succeeded; never rejects. */
export const run = async (command: string, args: string[], options: RunOptions = {}): Promise<boolean> =>
  (await readOutput(command, args, options)) !== null;
