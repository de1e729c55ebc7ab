import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@shortlist/kit/process/config';
import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import type { Xsrf } from '../session/xsrf.ts';

/** What a page may load and do: its own files and nothing else. Styles may be inline because charts set them. */
const secured = (secure: boolean): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  });

const isScreen = (path: string): boolean => !path.startsWith('/api/') && !/\.[a-z0-9]+$/i.test(path);

/** The single-page application: its files with long lives, and one page for every screen's address. */
export const addSpa = (
  app: Express,
  { webRoot, secure, xsrf }: { webRoot: string; secure: boolean; xsrf: Xsrf },
): void => {
  const index = join(webRoot, 'index.html');
  if (!existsSync(index))
    throw new ConfigError(`cannot start: WEB_ROOT (${webRoot}) holds no build of the web application`);
  const page = readFileSync(index, 'utf8');
  app.use(secured(secure));
  app.use(
    sirv(webRoot, {
      etag: true,
      gzip: true,
      brotli: true,
      extensions: [],
      setHeaders: (response, path) => {
        if (path.startsWith('/assets/'))
          response.setHeader('cache-control', 'public, max-age=31536000, immutable');
      },
    }),
  );
  app.get(/.*/, (request, response, next) => {
    if (!isScreen(request.path)) return next();
    xsrf.ensure({ request, response });
    response.set('cache-control', 'no-cache').type('html').send(page);
  });
};
