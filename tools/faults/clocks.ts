import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NODE_FLAGS } from '@shortlist/local/processes';
import { type ProcessName } from '@shortlist/local/system-ports';

/** The clocks of single processes, each with its own offset. */
export type Clocks = {
  environment: (name: ProcessName) => Record<string, string>;
  /** Sets the offset of a process's clock; 0 is the real time. */
  shift: (name: ProcessName, ms: number) => Promise<void>;
  remove: () => Promise<void>;
};

const SKEWED_CLOCK = pathToFileURL(join(import.meta.dirname, 'skewed-clock.ts')).href;

export const createClocks = async (): Promise<Clocks> => {
  const directory = await mkdtemp(join(tmpdir(), 'shortlist-clocks-'));
  const fileOf = (name: string): string => join(directory, name);
  return {
    environment: (name) => ({
      NODE_OPTIONS: [...NODE_FLAGS, `--import=${SKEWED_CLOCK}`].join(' '),
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
