// Ties a request of an app to the browser in which it began: a person who began it elsewhere would get what the user approves. The request's id
// is in the address of the page that asks the user, so the cookie adds what cannot be derived from an address.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { minutes } from '@shortlist/contracts/durations';
import { CONNECTION_REQUEST_MINUTES } from '@shortlist/contracts/limits';
import { createSigner } from '@shortlist/kit/http/signer';
import { defineListCookie } from '../session/credentials.ts';

export type RequestCookie = {
  /** Whether the request with this id began in the browser. */
  has: (request: IncomingMessage, id: string) => boolean;
  add: (exchange: { request: IncomingMessage; response: ServerResponse }, id: string) => void;
};

const VALUE = /^[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_-]{43}$/;
/** Requests of one browser at the same time. */
const REQUESTS_MAX = 5;

export const createRequestCookie = ({
  keys,
  publicUrl,
}: {
  keys: readonly string[];
  publicUrl: string;
}): RequestCookie => {
  const signer = createSigner(keys, 'requests of tools');
  const cookie = defineListCookie({
    name: 'tool-requests',
    publicUrl,
    sameSite: 'lax', // the app's page leads here
    pattern: VALUE,
    max: REQUESTS_MAX,
    lifetimeMs: minutes(CONNECTION_REQUEST_MINUTES),
  });
  return {
    has: (request, id) =>
      cookie
        .read(request)
        .map((value) => value.split('.'))
        .some(([name, signature = '']) => name === id && signer.verify(id, signature)),
    add: ({ request, response }, id) =>
      cookie.set(response, [`${id}.${signer.sign(id)}`, ...cookie.read(request)]),
  };
};
