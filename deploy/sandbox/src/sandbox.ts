import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { createApp } from './app.ts';
import { runDueTasks } from './billing/run-due-tasks.ts';
import type { Config } from './config.ts';
import { createContext } from './context.ts';

type SandboxParts = {
  config: Config;
  /** Real time in milliseconds. */
  clock: () => number;
  random?: () => number;
  report?: (error: unknown) => void;
};

export type RunningSandbox = {
  url: string;
  close: () => Promise<void>;
};

export type Sandbox = {
  app: Express;
  listen: () => Promise<RunningSandbox>;
};

const DUE_INTERVAL_MS = 1000;

const addressOf = (host: string, { port }: AddressInfo): string => {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
};

export const createSandbox = ({ config, clock, random, report }: SandboxParts): Sandbox => {
  const context = createContext({
    config,
    clock,
    random: random ?? Math.random,
    report: report ?? (() => undefined),
  });
  const app = createApp(context);

  const listen = async (): Promise<RunningSandbox> => {
    const server = createServer(app).listen(config.port, config.host);
    await once(server, 'listening');
    const url = addressOf(config.host, server.address() as AddressInfo);
    context.publicUrl ||= url;
    const timer = setInterval(() => runDueTasks(context), DUE_INTERVAL_MS).unref();
    runDueTasks(context);
    context.deliveries.resume();

    const close = async (): Promise<void> => {
      clearInterval(timer);
      context.deliveries.stop('forever');
      server.close();
      server.closeIdleConnections();
      // A caller that was told to wait for minutes must not keep the sandbox from ending.
      const impatience = setTimeout(() => server.closeAllConnections(), 1000).unref();
      await once(server, 'close');
      clearTimeout(impatience);
      context.persistence.saveNow();
    };

    return { url, close };
  };

  return { app, listen };
};
