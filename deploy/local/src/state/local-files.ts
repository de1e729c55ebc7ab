import { join } from 'node:path';

export const REPOSITORY = join(import.meta.dirname, '../../../..');

/** The data of this clone; `make reset` deletes it. */
export const LOCAL_DIRECTORY = join(REPOSITORY, '.local');
export const SECRETS_FILE = join(LOCAL_DIRECTORY, 'secrets.env');
export const RUNNING_FILE = join(LOCAL_DIRECTORY, 'running.json');
