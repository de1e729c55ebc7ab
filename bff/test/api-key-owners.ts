import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Scope, SCOPES } from '@shortlist/contracts/api/connected-apps';
import type { CreditsBalance } from '@shortlist/contracts/api/credits';
import { ERRORS } from '@shortlist/contracts/errors';
import { accessTokenOf, hashOfToken } from '@shortlist/kit/http/access-token';
import { uuidv7 } from 'uuidv7';
import { createKey } from '../src/api-keys/key.ts';
import type { StoredKey } from '../src/api-keys/key-store.ts';
import type { Bff } from './support.ts';

const HASH = /^\/(?:api-keys|connections)\/owner\?hash=([\w-]{43})$/;

const codeFor = (url = '') =>
  url.startsWith('/connections/') ? 'identity.token_not_found' : 'identity.api_key_not_found';

/** The balance of every user. */
export const BALANCE: CreditsBalance = {
  plan: 'free',
  limit: 20,
  used: 3,
  available: 17,
  windowStart: null,
  windowEnd: null,
  buckets: [],
};

/** identity as bff sees it, for API keys: it knows the keys that a test makes, and counts how often it is asked. */
export const createOwners = (bff: Bff, respond: (request: IncomingMessage) => object = () => BALANCE) => {
  const owners = new Map<string, StoredKey>();
  const owner = { owners, reads: 0, uses: [] as unknown[] };
  bff.upstream.respond = (request, response, body) => {
    const send = (status: number, reply: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    const hash = HASH.exec(request.url ?? '')?.[1];
    if (request.url?.endsWith('/use')) {
      owner.uses.push(JSON.parse(body.toString()));
      return send(200, { message: 'recorded' });
    }
    if (hash === undefined) return send(200, respond(request));
    owner.reads += 1;
    const data = owners.get(hash);
    if (data !== undefined) return send(200, { data });
    const code = codeFor(request.url);
    const [status, message] = ERRORS[code];
    send(status, { error: { code, message, requestId: 'r' } });
  };
  return {
    ...owner,
    get reads() {
      return owner.reads;
    },
    /** Issues an access token of a tool. */
    addToken: (change: Partial<StoredKey> = {}) => {
      const userId = change.userId ?? uuidv7();
      const token = accessTokenOf(userId, randomBytes(32).toString('base64url'));
      const stored = {
        id: uuidv7(),
        userId,
        toolId: uuidv7(),
        toolGeneration: 0,
        scopes: [...SCOPES],
        expiresAt: null,
        restriction: null,
        ...change,
      };
      const hash = hashOfToken(token);
      owners.set(hash, stored);
      return { token, hash, ...stored };
    },
    /** Deletes a key. */
    remove: (hash: string) => owners.delete(hash),
    /** Makes a key of a user. */
    add: (change: Partial<StoredKey> & { scopes?: Scope[] } = {}, environment: 'live' | 'test' = 'test') => {
      const userId = change.userId ?? uuidv7();
      const { key, hash } = createKey(environment, userId);
      const stored = {
        id: uuidv7(),
        userId,
        scopes: [],
        expiresAt: null,
        restriction: null,
        toolId: null,
        toolGeneration: 0,
        ...change,
      };
      owners.set(hash, stored);
      return { key, hash, ...stored };
    },
  };
};
