import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Request, type Response } from 'express';
import { runDueTasks } from './billing/run-due-tasks.ts';
import type { Config } from './config.ts';
import { type Context, createContext } from './context.ts';
import { controlRoutes } from './control/routes.ts';
import { createErrorHandler } from './faults.ts';
import { mailRoutes } from './mail/routes.ts';
import { pageRoutes } from './pages/routes.ts';
import { stripeRoutes } from './stripe/routes.ts';

type SandboxOptions = {
  config: Config;
  /** Returns real time in milliseconds. */
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

const urlOf = (host: string, { port }: AddressInfo): string => {
  const isWildcard = host === '0.0.0.0' || host === '::';
  const name = isWildcard ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
};

/** The app alone, for a caller that fills the state itself. */
export const createApp = (context: Context): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get(['/health/live', '/health/ready'], (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.use('/v1', stripeRoutes(context));
  app.use('/v3', mailRoutes(context));
  app.use('/_sandbox', controlRoutes(context));
  app.use(pageRoutes(context));
  app.use((_request: Request, response: Response) => {
    response.status(404).type('text/plain').send('Not found.');
  });
  app.use(
    createErrorHandler((error, response) => {
      const status = error.status ?? 500;
      if (status >= 500) context.report(error);
      const text = status >= 500 ? 'Internal error of the sandbox.' : error.message;
      response.status(status).type('text/plain').send(text);
    }),
  );
  return app;
};

export const createSandbox = ({ config, clock, random, report }: SandboxOptions): Sandbox => {
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
    const url = urlOf(config.host, server.address() as AddressInfo);
    context.publicUrl ||= url;
    const timer = setInterval(() => runDueTasks(context), DUE_INTERVAL_MS).unref();
    runDueTasks(context);
    context.deliveries.resume();

    const close = async (): Promise<void> => {
      clearInterval(timer);
      context.deliveries.close();
      context.mailEvents.cancel();
      server.close();
      server.closeIdleConnections();
      // A request that an injected fault delays for minutes must not block the shutdown.
      const forceClose = setTimeout(() => server.closeAllConnections(), 1000).unref();
      await once(server, 'close');
      clearTimeout(forceClose);
      context.persistence.saveNow();
    };

    return { url, close };
  };

  return { app, listen };
};
