import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { relative } from 'node:path';

export const sizeOf = (file: string): number => {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
};

/** Returns the text of a log from this byte on; empty when there is none. */
export const readLog = (file: string, from = 0): string => {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const rest = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - from));
      readSync(descriptor, rest, 0, rest.length, from);
      return rest.toString('utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
};

/** The path as a developer types it: relative below the current folder. */
export const displayPath = (file: string): string => {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
};
