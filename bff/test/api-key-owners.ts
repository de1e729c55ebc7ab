import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CreditsBalance } from '@shortlist/contracts/api/credits';
import { accessTokenOf, hashOfToken } from '@shortlist/kit/http/access-token';
import { uuidv7 } from 'uuidv7';
import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import { createKey } from '../src/api-keys/key.ts';
import type { StoredKey } from '../src/api-keys/key-store.ts';
import { type Bff, refuseWith, respondWith } from './support.ts';

const OWNER_OF_HASH = /^\/(api-keys|connections)\/owner\?hash=([\w-]{43})$/;
const NOT_FOUND = {
  'api-keys': 'identity.api_key_not_found',
  connections: 'identity.token_not_found',
} as const;

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

/** identity as bff sees it, for apps: it knows the keys and tokens that a test makes, and counts how often it is asked. */
export const createOwners = (bff: Bff, respond: (request: IncomingMessage) => object = () => BALANCE) => {
  const owners = new Map<string, StoredKey>();
  const identity = {
    owners,
    reads: 0,
    uses: [] as unknown[],
    /** Makes a key of a user. */
    addKey: (change: Partial<StoredKey> = {}) => {
      const userId = change.userId ?? uuidv7();
      const { key, hash } = createKey('test', userId);
      return add(key, hash, { userId, scopes: [], toolId: null, ...change });
    },
    /** Issues an access token of a tool. */
    addToken: (change: Partial<StoredKey> = {}) => {
      const userId = change.userId ?? uuidv7();
      const token = accessTokenOf(userId, randomBytes(32).toString('base64url'));
      return add(token, hashOfToken(token), { userId, scopes: [...SCOPES], toolId: uuidv7(), ...change });
    },
  };
  const add = (
    token: string,
    hash: string,
    owner: Pick<StoredKey, 'userId' | 'scopes' | 'toolId'> & Partial<StoredKey>,
  ) => {
    const stored = { id: uuidv7(), expiresAt: null, restriction: null, toolGeneration: 0, ...owner };
    owners.set(hash, stored);
    return { token, hash, ...stored };
  };
  bff.upstream.respond = (request, response, body) => {
    const [, kind, hash = ''] = OWNER_OF_HASH.exec(request.url ?? '') ?? [];
    let reply = respondWith(() => respond(request));
    if (request.url?.endsWith('/use')) {
      identity.uses.push(JSON.parse(body.toString()));
      reply = respondWith(() => ({ message: 'recorded' }));
    } else if (kind !== undefined) {
      identity.reads += 1;
      const data = owners.get(hash);
      reply =
        data === undefined
          ? refuseWith(NOT_FOUND[kind as keyof typeof NOT_FOUND])
          : respondWith(() => ({ data }));
    }
    reply(request, response, body);
  };
  return identity;
};
