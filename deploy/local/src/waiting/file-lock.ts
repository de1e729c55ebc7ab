import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from '../host/cache-directory.ts';
import type { Print } from '../host/print.ts';
import { isProcessAlive } from '../host/process-alive.ts';
import { DOWNLOAD_LIMITS } from './run-program.ts';
import { waitForReady } from './wait-for-ready.ts';

/** Returns null with the lock acquired, otherwise the process that owns it. The lock of a dead process is removed. */
const tryAcquire = async (file: string): Promise<string | null> => {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return null;
  } catch {
    const owner = Number(await readFile(file, 'utf8').catch(() => '0'));
    if (owner > 0 && !isProcessAlive(owner)) await rm(file, { force: true });
    return `process ${owner} holds it`;
  }
};

/** Runs `work` under a lock of this user, which all clones share. */
export const withFileLock = async <Result>(
  name: string,
  print: Print,
  work: () => Promise<Result>,
): Promise<Result> => {
  await mkdir(cacheDirectory(), { recursive: true });
  const file = join(cacheDirectory(), `${name}.lock`);
  const target = { name: `the lock ${file}`, check: () => tryAcquire(file) };
  await waitForReady([target], { print, limits: DOWNLOAD_LIMITS });
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
};
