import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDirectory } from './cache-directory.ts';
import { isAlive } from './is-alive.ts';

const take = async (file: string): Promise<boolean> => {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(await readFile(file, 'utf8').catch(() => '0'));
    if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
    return false;
  }
};

/** Runs `work` while no other process of this user does work of the same name. A dead holder's lock is void. */
export const withLock = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  await mkdir(cacheDirectory(), { recursive: true });
  const file = join(cacheDirectory(), `${name}.lock`);
  while (!(await take(file))) await sleep(200);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
};
