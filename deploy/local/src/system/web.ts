import { globSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Child, startChild } from '../host/child.ts';
import { environment, LOCAL_DIRECTORY, REPOSITORY } from '../host/config.ts';
import { programPath } from '../host/programs.ts';
import { checkHttp, runProgram, waitForReady, type WaitOptions } from '../host/wait.ts';

const SOURCES = [
  'web/{src,public,reference}/**',
  'web/{index.html,vite.config.ts,reference-page.ts}',
  'packages/contracts/src/**',
  'package-lock.json',
];

/** Returns when a file of the repository was changed; 0 when there is none. */
export const changedAt = async (path: string): Promise<number> =>
  (await stat(join(REPOSITORY, path)).catch(() => null))?.mtimeMs ?? 0;

/** Whether the built pages are newer than all of their sources. */
export const isWebFresh = async (): Promise<boolean> => {
  const sources = globSync(SOURCES, { cwd: REPOSITORY });
  const [built = 0, ...changed] = await Promise.all(['web/dist/index.html', ...sources].map(changedAt));
  return built > Math.max(...changed);
};

/** Builds web unless the build is newer than all of its sources. */
export const buildWeb = async (options: WaitOptions = {}): Promise<void> => {
  if (await isWebFresh()) return;
  options.print?.('Building web …');
  const logDirectory = join(LOCAL_DIRECTORY, 'logs');
  await mkdir(logDirectory, { recursive: true, mode: 0o700 });
  const program = {
    name: 'build of web',
    command: programPath('npm'),
    args: ['run', 'build', '--workspace', 'web'],
    cwd: REPOSITORY,
    logFile: join(logDirectory, 'web-build.log'),
  };
  await runProgram(program, options);
};

type WebDevOptions = WaitOptions & { port: number; bffUrl: string };

/** Starts Vite's development server, which applies changes to open pages at once and proxies other requests to bff. */
export const startWebDev = async ({ port, bffUrl, ...options }: WebDevOptions): Promise<Child> => {
  const child = startChild({
    command: join(REPOSITORY, 'node_modules/.bin/vite'),
    args: ['--port', String(port), '--strictPort'],
    logFile: join(LOCAL_DIRECTORY, 'logs/web.log'),
    cwd: join(REPOSITORY, 'web'),
    env: { ...environment(), BFF_URL: bffUrl },
  });
  const check = (): Promise<string | null> => checkHttp(`http://localhost:${port}`);
  try {
    await waitForReady([{ name: 'web', check, child }], options);
    return child;
  } catch (error) {
    await child.stop();
    throw error;
  }
};
