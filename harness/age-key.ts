import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Makes a key of age in a file, and returns its public key, to which backups are encrypted. */
export const makeAgeKey = async (file: string): Promise<string> => {
  await run('age-keygen', ['-o', file]);
  return (await run('age-keygen', ['-y', file])).stdout.trim();
};
