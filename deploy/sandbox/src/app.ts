import express, { type Express, type Request, type Response } from 'express';
import { controlRoutes } from './control/routes.ts';
import { mailRoutes } from './mail/routes.ts';
import { onError } from './error-handler.ts';
import { pageRoutes } from './pages/routes.ts';
import { stripeRoutes } from './stripe/routes.ts';
import type { World } from './context.ts';

export const createApp = (world: World): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get(['/health/live', '/health/ready'], (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.use('/v1', stripeRoutes(world));
  app.use('/v3', mailRoutes(world));
  app.use('/_sandbox', controlRoutes(world));
  app.use(pageRoutes(world));
  app.use((_request: Request, response: Response) => {
    response.status(404).type('text/plain').send('There is nothing here.');
  });
  app.use(
    onError((error, response) => {
      const status = error.status ?? 500;
      if (status >= 500) world.report(error);
      const text = status >= 500 ? 'The sandbox itself failed.' : error.message;
      response.status(status).type('text/plain').send(text);
    }),
  );
  return app;
};
