import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const shell = promisify(execFile);

/** Returns the command lines of the processes that mention this folder. */
export const processesOf = async (directory: string): Promise<string[]> => {
  const { stdout } = await shell('ps', ['-eo', 'args']);
  return stdout.split('\n').filter((line) => line.includes(directory));
};
