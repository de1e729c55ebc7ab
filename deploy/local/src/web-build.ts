import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from './errors.ts';
import { lastLines, run } from './programs.ts';
import type { Tell } from './tell.ts';

const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'services/contracts/src',
  'package-lock.json',
];

const changedAt = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.mtimeMs ?? 0;

const newestIn = async (path: string): Promise<number> => {
  const names = await readdir(path, { recursive: true }).catch(() => []);
  const times = await Promise.all([path, ...names.map((name) => join(path, name))].map(changedAt));
  return Math.max(...times);
};

const isFresh = async (root: string): Promise<boolean> => {
  const built = await changedAt(join(root, 'web/dist/index.html'));
  const sources = await Promise.all(SOURCES.map((source) => newestIn(join(root, source))));
  return built > Math.max(...sources);
};

/** Builds the web part unless what is built is newer than all it is made of. */
export const buildWeb = async (root: string, tell: Tell): Promise<void> => {
  if (await isFresh(root)) return;
  tell('Building web …');
  const { ok, output } = await run('npm', ['run', 'build', '--workspace', 'web'], { cwd: root });
  if (!ok) throw new StartFailure(`web could not be built:\n${lastLines(output, 20)}`);
};
