import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAlive } from './is-alive.ts';

/** Who has this clone's data in use, and from which port on. */
export type Running = { pid: number; base: number };

export const findRunning = (file: string): Running | null => {
  try {
    const running = JSON.parse(readFileSync(file, 'utf8')) as Running;
    return isAlive(running.pid) ? running : null;
  } catch {
    return null;
  }
};

/** Leaves a mark that a start is under way or done; the returned function takes it away. */
export const markRunning = async (file: string, base: number): Promise<() => Promise<void>> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const running: Running = { pid: process.pid, base };
  await writeFile(file, JSON.stringify(running));
  return () => rm(file, { force: true });
};
