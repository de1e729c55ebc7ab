import { homedir } from 'node:os';
import { join } from 'node:path';
import { environment } from './config.ts';

/** What a second clone need not download again. */
export const cacheDirectory = (): string =>
  join(environment().XDG_CACHE_HOME || join(homedir(), '.cache'), 'shortlist');
