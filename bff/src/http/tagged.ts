import { hash } from 'node:crypto';
import type { Response } from 'express';

/** Sends a text with a tag that names it: a client that has the text gets 304 and no body. */
export const sendTagged = (response: Response, type: string, text: string): void => {
  response.set('etag', `"${hash('sha256', text, 'base64url').slice(0, 27)}"`);
  if (response.req.fresh) response.status(304).end();
  else response.type(type).send(text);
};
