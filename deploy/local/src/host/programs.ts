import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environment } from './config.ts';

// A plain user's PATH often lacks the folders of daemons.
const EXTRA_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const findProgram = (name: string): string | null => {
  const folders = [...(environment().PATH ?? '').split(delimiter), ...EXTRA_FOLDERS];
  return (
    folders
      .filter(Boolean)
      .map((folder) => join(folder, name))
      .find(isExecutable) ?? null
  );
};

export type ProgramResult = { ok: boolean; output: string };
type RunOptions = { timeoutMs?: number; env?: NodeJS.ProcessEnv; cwd?: string };

/** Runs a short program to its end and returns its output; never rejects. */
export const run = (command: string, args: string[], options: RunOptions = {}): Promise<ProgramResult> =>
  new Promise((resolve) => {
    const { timeoutMs = 0, ...rest } = options;
    const settings = { ...rest, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, settings, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}` });
    });
    child.stdin?.end();
  });
