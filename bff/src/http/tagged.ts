import { hash } from 'node:crypto';
import type { Response } from 'express';

const TYPES = { json: 'application/json; charset=utf-8', html: 'text/html; charset=utf-8' } as const;

/** Sends a text with a tag that names it: a client that has the text gets 304 and no body. */
export const sendTagged = (response: Response, type: keyof typeof TYPES, text: string): void => {
  response.setHeader('etag', `"${hash('sha256', text, 'base64url').slice(0, 27)}"`);
  if (response.req.fresh) return void response.status(304).end();
  const headers = { 'content-type': TYPES[type], 'content-length': Buffer.byteLength(text) };
  response.writeHead(200, headers).end(text);
};
