import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express, Response } from 'express';
import { nameRoute } from '../http/observe.ts';

const DESCRIPTION = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** Of the two style elements that Redoc adds: an empty one, to which it adds rules by script, and that of its scroll bar. */
const STYLES =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${STYLES}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What the API for tools says of itself, to everybody. */
export const REFERENCE_PATHS = ['/api/v1/openapi.json', '/api/v1/reference'] as const;
const [DESCRIPTION_PATH, PAGE_PATH] = REFERENCE_PATHS;

type Sender = (response: Response) => void;

/** Sends a text that changes with a release only: clients ask with its ETag, and get 304. */
const sender = (type: string, text: string): Sender => {
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
  return (response) => {
    response.set({ etag, 'cache-control': 'no-cache' });
    if (response.req.fresh) response.status(304).end();
    else response.type(type).send(text);
  };
};

/** Serves the OpenAPI description, to pages of every origin, and the page that shows it, which is part of the build of web. */
export const addReference = (app: Express, webRoot: string): void => {
  const sendDescription = sender('json', readFileSync(DESCRIPTION, 'utf8'));
  const page = join(webRoot, 'reference.html');
  const sendPage = existsSync(page) ? sender('html', readFileSync(page, 'utf8')) : null;

  app.get(DESCRIPTION_PATH, nameRoute(DESCRIPTION_PATH), (_request, response) => {
    response.set('access-control-allow-origin', '*');
    sendDescription(response);
  });
  app.get(PAGE_PATH, nameRoute(PAGE_PATH), (_request, response, next) => {
    if (sendPage === null) return next();
    response.set('content-security-policy', POLICY);
    sendPage(response);
  });
};
