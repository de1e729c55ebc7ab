import { join } from 'node:path';
import { answers } from './answers.ts';
import { type Child, startChild } from './child.ts';
import { environment } from './config.ts';
import { StartFailure } from './errors.ts';
import type { System } from './system.ts';
import { waitUntil } from './wait.ts';

/** Vite's own server stands at this distance from bff's port. */
const OFFSET = 15;
const READY_LIMIT_MS = 60_000;

/** Serves web from its sources, a change seen at once in every open page; what is no page is asked of bff. */
export const serveWebSources = async (
  root: string,
  { publicUrl, urls, directory }: System,
): Promise<{ url: string; child: Child }> => {
  const port = Number(new URL(urls.bff).port) + OFFSET;
  const child = startChild({
    command: join(root, 'node_modules/.bin/vite'),
    args: ['--port', String(port), '--strictPort'],
    logFile: join(directory, 'logs/web.log'),
    cwd: join(root, 'web'),
    env: { ...environment(), BFF_URL: publicUrl },
  });
  const url = `http://localhost:${port}`;
  const give = (): boolean => child.hasExited();
  if (await waitUntil(() => answers(url), { limitMs: READY_LIMIT_MS, give })) return { url, child };
  await child.stop();
  throw new StartFailure('web could not be served from its sources; .local/logs/web.log says why.');
};
