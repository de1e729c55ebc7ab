import { mkdtemp, statfs } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the environment of this process. No other file of this package reads `process.env`. */
export const environment = (): NodeJS.ProcessEnv => process.env;

export const REPOSITORY = join(import.meta.dirname, '../../../..');

/** The data of this clone; `make reset` deletes it. */
export const LOCAL_DIRECTORY = join(REPOSITORY, '.local');
export const SECRETS_FILE = join(LOCAL_DIRECTORY, 'secrets.env');

/** Returns the folder of downloads that all clones of this user share. */
export const cacheDirectory = (): string =>
  join(environment().XDG_CACHE_HOME || join(homedir(), '.cache'), 'shortlist');

/** The file system in memory that Linux has. In containers it often has 64 MiB, too little for several systems. */
const SHARED_MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 2 ** 30;

/** Makes a temporary folder. In memory, unless TMPDIR names another place, a database never waits for a flush. */
export const makeTemporaryFolder = async (inMemory = false): Promise<string> => {
  const memory = inMemory ? await statfs(SHARED_MEMORY).catch(() => null) : null;
  const hasRoom = memory !== null && memory.bavail * memory.bsize >= NEEDED_BYTES;
  const useMemory = hasRoom && environment().TMPDIR === undefined;
  return mkdtemp(join(useMemory ? SHARED_MEMORY : tmpdir(), 'shortlist-'));
};
