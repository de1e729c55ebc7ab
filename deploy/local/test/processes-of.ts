import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '@shortlist/kit/testing/until';

const shell = promisify(execFile);

/** Returns the command lines of the processes that mention this folder. */
export const processesOf = async (directory: string): Promise<string[]> => {
  const { stdout } = await shell('ps', ['-eo', 'args']);
  return stdout.split('\n').filter((line) => line.includes(directory));
};

/** Waits until none is left. The guard of a program, which names the folder too, ends a moment after it. */
export const untilNoneOf = (directory: string): Promise<void> =>
  until(`the end of the processes of ${directory}`, async () => (await processesOf(directory)).length === 0);
