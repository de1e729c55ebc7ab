import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LOCAL_DIRECTORY } from './config.ts';

export const PID_FILE = join(LOCAL_DIRECTORY, 'running.json');

/** The process that uses this clone's data, and the first of its ports. */
export type Running = { pid: number; base: number };

const isProcessAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Returns what the pid file says, also when that process has ended; null without a file that can be read. */
export const readPidFile = (file = PID_FILE): Running | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Running;
  } catch {
    return null;
  }
};

/** Returns the process that the pid file names; null when it has ended. */
export const findRunning = (file = PID_FILE): Running | null => {
  const running = readPidFile(file);
  return running !== null && isProcessAlive(running.pid) ? running : null;
};

/** Writes the pid file; the returned function removes it. */
export const writePidFile = async (base: number, file = PID_FILE): Promise<() => Promise<void>> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const running: Running = { pid: process.pid, base };
  await writeFile(file, JSON.stringify(running));
  return () => rm(file, { force: true });
};
