import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LOCAL_DIRECTORY } from './config.ts';

const FILE = join(LOCAL_DIRECTORY, 'running.json');

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

/** Returns the process that the pid file names; null when it has ended. */
export const findRunning = (file = FILE): Running | null => {
  try {
    const running = JSON.parse(readFileSync(file, 'utf8')) as Running;
    return isProcessAlive(running.pid) ? running : null;
  } catch {
    return null;
  }
};

/** Writes the pid file; the returned function removes it. */
export const writePidFile = async (base: number, file = FILE): Promise<() => Promise<void>> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const running: Running = { pid: process.pid, base };
  await writeFile(file, JSON.stringify(running));
  return () => rm(file, { force: true });
};
