import { join } from 'node:path';
import { type Child, startChild } from '../host/child.ts';
import { environment } from '../host/config.ts';
import type { Print } from '../host/print.ts';
import { checkHttp } from '../waiting/http-check.ts';
import { waitForReady } from '../waiting/wait-for-ready.ts';
import { WEB_DEV_OFFSET } from './system-ports.ts';
import type { System } from './system.ts';

type WebDevOptions = { print: Print; signal: AbortSignal };

/** Starts Vite's development server, which applies changes to open pages at once and proxies other requests to bff. */
export const startWebDev = async (
  root: string,
  { publicUrl, urls, directory }: System,
  options: WebDevOptions,
): Promise<{ url: string; child: Child }> => {
  const port = Number(new URL(urls.bff).port) + WEB_DEV_OFFSET;
  const child = startChild({
    command: join(root, 'node_modules/.bin/vite'),
    args: ['--port', String(port), '--strictPort'],
    logFile: join(directory, 'logs/web.log'),
    cwd: join(root, 'web'),
    env: { ...environment(), BFF_URL: publicUrl },
  });
  const url = `http://localhost:${port}`;
  try {
    await waitForReady([{ name: 'web', check: () => checkHttp(url), child }], options);
    return { url, child };
  } catch (error) {
    await child.stop();
    throw error;
  }
};
