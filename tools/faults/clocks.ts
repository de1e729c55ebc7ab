import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProcessName } from '@shortlist/local/system/ports';
import { preloading } from './preload.ts';

/** The clocks of single processes, each with its own offset. */
export type Clocks = {
  environment: (name: ProcessName) => Record<string, string>;
  /** Sets the offset of a process's clock; 0 is the real time. */
  shift: (name: ProcessName, ms: number) => Promise<void>;
  remove: () => Promise<void>;
};

export const createClocks = async (): Promise<Clocks> => {
  const directory = await mkdtemp(join(tmpdir(), 'shortlist-clocks-'));
  const fileOf = (name: string): string => join(directory, name);
  return {
    environment: (name) => ({
      ...preloading('skewed-clock.ts'),
      CLOCK_FILE: fileOf(name),
    }),
    shift: async (name, ms) => {
      // Written to another file and renamed, because the process may read the file at any moment.
      await writeFile(fileOf(`${name}.next`), String(ms));
      await rename(fileOf(`${name}.next`), fileOf(name));
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
};
