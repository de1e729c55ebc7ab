import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@shortlist/kit/process/config';
import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import sirv from 'sirv';
import type { Xsrf } from '../session/xsrf.ts';

/** Pages load only their own files. Inline styles are allowed because the charts set them. */
const securityHeaders = (isHttps: boolean): RequestHandler =>
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
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' }, // for browsers without frame-ancestors
    crossOriginEmbedderPolicy: false,
  });

const WELL_KNOWN = '/.well-known/';

const isScreen = (path: string): boolean =>
  !path.startsWith('/api/') && !path.startsWith(WELL_KNOWN) && !/\.[a-z0-9]+$/i.test(path);

/** Serves the single-page application: its files with long cache lives, and one page for the address of every screen. */
export const addSpa = (
  app: Express,
  { webRoot, isHttps, xsrf }: { webRoot: string; isHttps: boolean; xsrf: Xsrf },
): void => {
  const index = join(webRoot, 'index.html');
  if (!existsSync(index))
    throw new ConfigError(`cannot start: WEB_ROOT (${webRoot}) holds no build of the web application`);
  const page = readFileSync(index, 'utf8');
  app.use(securityHeaders(isHttps));
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
  // Where password managers look for the page. Source: A Well-Known URL for Changing Passwords (W3C).
  app.get(`${WELL_KNOWN}change-password`, (_request, response) => response.redirect(302, '/security'));
  app.get(/.*/, (request, response, next) => {
    if (!isScreen(request.path)) return next();
    xsrf.ensure({ request, response });
    response.set('cache-control', 'no-cache').type('html').send(page);
  });
};
