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

/** Runs a short program to its end and returns whether it succeeded; never rejects. */
export const run = (command: string, args: string[], options: RunOptions = {}): Promise<boolean> =>
  new Promise((resolve) => {
    const child = execFile(command, args, options, (error) => resolve(error === null));
    child.stdin?.end();
  });
