import { randomBytes } from 'node:crypto';
import { type ApiKey, apiKeyEndpoints, type ApiKeyInput } from '@shortlist/contracts/api/connected-apps';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { asService } from '@shortlist/kit/http/http-client';
import { STRICT } from '@shortlist/kit/testing/open-service';
import { uuidv7 } from 'uuidv7';
import { ana, openIdentity } from './open-identity.ts';

export const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;
export const asUser = (userId: string) =>
  ({ caller: { role: 'user', userId, address: '192.0.2.7' } }) as const;

/** Of the form of a SHA-256, which bff makes of the key. */
export const newHash = (): string => randomBytes(32).toString('base64url');

type NewKey = ApiKeyInput & { hash: string; hint: string };

/** Opens identity with a clock that stands still, and what users and bff do with API keys. */
export const openApiKeys = async () => {
  let now = new Date();
  const clock = (): Date => now;
  const { db, identity, untilAccountLocked, close } = await openIdentity({ clock });
  const { ask } = identity;
  return {
    db,
    ask,
    identity,
    clock,
    untilAccountLocked,
    close,
    pass: (milliseconds: number): void => void (now = new Date(now.getTime() + milliseconds)),
    /** A user whose address is confirmed, because an admin has created the account. */
    addUser: async (): Promise<string> => {
      const account = { ...ana, email: `${uuidv7()}@people.test` };
      return (await ask(signUpEndpoints.register, account, admin)).data.id;
    },
    create: async (userId: string, change: Partial<NewKey> = {}): Promise<ApiKey> => {
      const key: NewKey = {
        name: 'Zapier',
        scopes: ['credits:read'],
        expiresInDays: null,
        hash: newHash(),
        hint: 'sl_live_4k…x7Qa',
        ...change,
      };
      return (
        await ask(apiKeyEndpoints.createApiKey, { userId, ...key }, { ...asUser(userId), headers: STRICT })
      ).data;
    },
    list: async (userId: string): Promise<ApiKey[]> =>
      (await ask(apiKeyEndpoints.listApiKeys, { userId }, asUser(userId))).data,
    revoke: (userId: string, keyId: string) =>
      ask(apiKeyEndpoints.revokeApiKey, { userId, keyId }, asUser(userId)),
    ownerOf: async (hash: string) => (await ask(apiKeyEndpoints.findKeyOwner, { hash }, asService())).data,
    eventsOf: async <Data>({ type }: { type: string }, userId: string): Promise<CloudEvent<Data>[]> =>
      (await db.query<{ payload: string }[]>('SELECT payload FROM outbox ORDER BY id'))
        .map(({ payload }) => JSON.parse(payload) as CloudEvent<Data>)
        .filter((event) => event.type === type && event.subject === userId),
  };
};

export type OpenedApiKeys = Awaited<ReturnType<typeof openApiKeys>>;
