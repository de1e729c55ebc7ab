import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environment } from './config.ts';

// Daemons are often kept out of a plain user's PATH.
const ALSO_LOOK_IN = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const findProgram = (name: string): string | null => {
  const folders = [...(environment().PATH ?? '').split(delimiter), ...ALSO_LOOK_IN];
  return (
    folders
      .filter(Boolean)
      .map((folder) => join(folder, name))
      .find(isExecutable) ?? null
  );
};

export type Outcome = { ok: boolean; output: string };
type RunOptions = { timeoutMs?: number; env?: NodeJS.ProcessEnv; cwd?: string };

/** Runs a program to its end and gives what it wrote; never rejects. */
export const run = (command: string, args: string[], options: RunOptions = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const { timeoutMs = 0, ...rest } = options;
    const settings = { ...rest, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, settings, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}` });
    });
    child.stdin?.end();
  });

/** The last lines that hold something, for a message. */
export const lastLines = (text: string, count: number): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n');
