import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isProcessAlive } from '../host/process-alive.ts';

/** The process that uses this clone's data, and the first of its ports. */
export type Running = { pid: number; base: number };

export const findRunning = (file: string): Running | null => {
  try {
    const running = JSON.parse(readFileSync(file, 'utf8')) as Running;
    return isProcessAlive(running.pid) ? running : null;
  } catch {
    return null;
  }
};

/** Writes the pid file; the returned function removes it. */
export const writePidFile = async (file: string, base: number): Promise<() => Promise<void>> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const running: Running = { pid: process.pid, base };
  await writeFile(file, JSON.stringify(running));
  return () => rm(file, { force: true });
};
