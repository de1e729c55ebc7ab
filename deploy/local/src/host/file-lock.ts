import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDirectory } from './cache-directory.ts';
import { isProcessAlive } from './process-alive.ts';

const tryAcquire = async (file: string): Promise<boolean> => {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const owner = Number(await readFile(file, 'utf8').catch(() => '0'));
    if (owner > 0 && !isProcessAlive(owner)) await rm(file, { force: true });
    return false;
  }
};

/** Runs `work` under a lock of this user, shared by all clones. The lock of a dead process is removed. */
export const withFileLock = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  await mkdir(cacheDirectory(), { recursive: true });
  const file = join(cacheDirectory(), `${name}.lock`);
  while (!(await tryAcquire(file))) await sleep(200);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
};
