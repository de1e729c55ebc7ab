import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Print } from '../host/print.ts';
import { findProgram } from '../host/programs.ts';
import { runProgram } from '../waiting/run-program.ts';

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

type BuildOptions = { print: Print; signal: AbortSignal };

/** Builds web unless the build is newer than all of its sources. */
export const buildWeb = async (root: string, { print, signal }: BuildOptions): Promise<void> => {
  if (await isFresh(root)) return;
  print('Building web …');
  const logDirectory = join(root, '.local/logs');
  await mkdir(logDirectory, { recursive: true, mode: 0o700 });
  const program = {
    name: 'the build of web',
    command: findProgram('npm') ?? 'npm',
    args: ['run', 'build', '--workspace', 'web'],
    cwd: root,
    logFile: join(logDirectory, 'web-build.log'),
  };
  await runProgram(program, { print, signal });
};
