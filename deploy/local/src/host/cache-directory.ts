import { homedir } from 'node:os';
import { join } from 'node:path';
import { environment } from './config.ts';

/** Returns the folder of downloads and locks that all clones of this user share. */
export const cacheDirectory = (): string =>
  join(environment().XDG_CACHE_HOME || join(homedir(), '.cache'), 'shortlist');
