import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Router } from 'express';
import { nameRoute } from '../http/observe.ts';
import { sendTagged } from '../http/endpoint.ts';

const DESCRIPTION = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** Of the two style elements that Redoc adds: an empty one, to which it adds rules by script, and that of its scroll bar. */
const STYLES =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${STYLES}`,
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The public description of the API for apps. */
export const REFERENCE_PATHS = ['/api/v1/openapi.json', '/api/v1/reference'] as const;
const [DESCRIPTION_PATH, PAGE_PATH] = REFERENCE_PATHS;

/** The address in the examples, which stands for that of the installation. */
const EXAMPLE_ADDRESS = 'https://app.shortlist.example';

/**
 * Serves the OpenAPI description, to pages of every origin, and the page that shows it, which is part of the build of web. The examples
 * have the address of this installation.
 */
export const addReference = (
  router: Router,
  { webRoot, publicUrl }: { webRoot: string; publicUrl: string },
): void => {
  const description = readFileSync(DESCRIPTION, 'utf8').replaceAll(
    EXAMPLE_ADDRESS,
    new URL(publicUrl).origin,
  );
  const file = join(webRoot, 'reference.html');
  const page = existsSync(file) ? readFileSync(file, 'utf8') : null;

  router.get(DESCRIPTION_PATH, nameRoute(DESCRIPTION_PATH), (_request, response) => {
    response.set({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache' });
    sendTagged(response, 'json', description);
  });
  router.get(PAGE_PATH, nameRoute(PAGE_PATH), (_request, response, next) => {
    if (page === null) return next();
    response.set({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' });
    sendTagged(response, 'html', page);
  });
};
