import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from './config.ts';

/** The file system in memory that Linux has. */
const SHARED_MEMORY = '/dev/shm';

/** The databases and logs of several systems at a time. Containers often have 64 MiB there. */
const NEEDED_BYTES = 4 * 2 ** 30;

const freeBytes = async (path: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
};

/** Returns the folder of temporary files, in memory where the machine has room there; TMPDIR chooses another place. */
const rootFor = async (inMemory: boolean): Promise<string> =>
  inMemory && environment().TMPDIR === undefined && (await freeBytes(SHARED_MEMORY)) >= NEEDED_BYTES
    ? SHARED_MEMORY
    : tmpdir();

/** Makes a new folder. A database whose files are in memory never waits for a flush. */
export const makeTemporaryFolder = async (prefix: string, inMemory = false): Promise<string> =>
  mkdtemp(join(await rootFor(inMemory), prefix));
