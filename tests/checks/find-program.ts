import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Returns the path of a program in PATH or where Go installs programs; without it, the error says how to install it. */
export const findProgram = (name: string, module: string): string => {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go/bin')];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is missing: install it, or run go install ${module}`);
  return found;
};
