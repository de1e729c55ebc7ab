import express, { type Express, type Request, type Response } from 'express';
import type { Context } from './context.ts';
import { controlRoutes } from './control/routes.ts';
import { createErrorHandler } from './error-handler.ts';
import { mailRoutes } from './mail/routes.ts';
import { pageRoutes } from './pages/routes.ts';
import { stripeRoutes } from './stripe/routes.ts';

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
