import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NODE_FLAGS } from '@shortlist/local/system/processes';

/** The environment of a process that loads these files of this folder before its program. */
export const preloading = (...files: string[]): Record<string, string> => {
  const imports = files.map((file) => `--import=${pathToFileURL(join(import.meta.dirname, file)).href}`);
  return { NODE_OPTIONS: [...NODE_FLAGS, ...imports].join(' ') };
};
