// An intruder with the password and sessions, while the owner takes the account back: bff and identity, with their database and Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import { accessEndpoints } from '@shortlist/contracts/api/connected-apps';
import { emailChangeEndpoints } from '@shortlist/contracts/api/email';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { asService } from '@shortlist/kit/http/http-client';
import { randomFrom, seed } from '@shortlist/kit/testing/sample';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { send } from '../../bff/test/requests.ts';
import { type Bff, respondWith, startBff } from '../../bff/test/support.ts';
import { createHasher } from '../../services/identity/src/passwords.ts';
import { insertTool } from '../../services/identity/src/tools/queries.ts';
import { createAuthenticator } from '../../services/identity/test/authenticator.ts';
import { ana, openIdentity } from '../../services/identity/test/open-identity.ts';

const OLD = 'open sesame';
const NEW = 'mine again today';
const ORIGIN = 'http://localhost:5000';
const TOOL = uuidv7();
const SERVICE = asService();
const ANONYMOUS = { caller: { role: 'anonymous', userId: null } } as const;
const ADMIN = { caller: { role: 'admin', userId: uuidv7() }, timeoutMs: 30_000 } as const;

const random = randomFrom(seed);

let opened: Awaited<ReturnType<typeof openIdentity>>;
let bff: Bff;
beforeAll(async () => {
  opened = await openIdentity({ hasher: await createHasher() });
  bff = await startBff(inject('sessionsRedisUrl'), {
    IDENTITY_URL: opened.identity.url,
    TRUSTED_PROXIES: '127.0.0.1',
  });
  bff.upstream.respond = respondWith(() => ({
    data: { email: 'ana@people.test', firstName: 'Ana', lastName: 'Souza' },
    planState: { version: 1 },
  }));
  await insertTool(opened.db.manager, {
    id: TOOL,
    name: 'Automation bot',
    logo: null,
    redirectUris: [],
    scopes: ['credits:read'],
    isVerified: true,
    createdAt: new Date(),
    disabledAt: null,
    generation: 0,
  });
});
afterAll(async () => {
  await bff.close();
  await opened.close();
});

type Reply = { status: number; data?: { token?: string; challenge?: string }; user_code?: string };

/** Each request comes from another network, so that no limit of one ends the race. */
const newNetwork = (): string =>
  `2001:db8:${Math.floor(random() * 65_536).toString(16)}:${Math.floor(random() * 65_536).toString(16)}::1`;
const call = async (target: string, body: object | URLSearchParams, token?: string): Promise<Reply> => {
  const [method = '', path = ''] = target.split(' ');
  const isForm = body instanceof URLSearchParams;
  const headers = {
    'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    'x-forwarded-for': newNetwork(),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await send(bff.port, path, {
    method,
    headers,
    body: isForm ? body.toString() : JSON.stringify(body),
  });
  return { ...(JSON.parse(response.body) as object), status: response.status };
};

/** What acts for a user, or lets somebody in: how a session adds it. */
const ADDITIONS: Record<string, (token: string) => Promise<Reply>> = {
  key: (token) =>
    call('POST /api/api-keys', { name: 'Zapier', scopes: ['credits:read'], expiresInDays: null }, token),
  webhook: (token) =>
    call('POST /api/webhooks', { url: 'https://intruder.example.com/', events: ['plan.changed'] }, token),
  tool: async (token) => {
    const form = new URLSearchParams({ client_id: TOOL, scope: 'credits:read' });
    const { user_code: request } = await call('POST /oauth/device', form);
    return call('POST /api/connections/approve', { source: 'device', request }, token);
  },
  passkey: async (token) => {
    const { data, status } = await call('POST /api/factors/passkeys/options', {}, token);
    if (data?.challenge === undefined) return { status };
    const passkey = createAuthenticator().register({ challenge: data.challenge, origin: ORIGIN });
    return call('POST /api/factors/passkeys', { passkey, name: 'Laptop' }, token);
  },
};

const remainsOf = async (userId: string) => {
  const { data: access } = await opened.identity.ask(accessEndpoints.getAccess, { userId }, ADMIN);
  const { data: factors } = await opened.identity.ask(factorEndpoints.getFactors, { userId }, ADMIN);
  return { ...access, passkeys: factors.passkeys, totpSince: factors.totpSince };
};
const NOTHING = { apiKeys: [], connections: [], webhooks: [], passkeys: [], totpSince: null };

/** A confirmed account, whose address an intruder with the password has changed, and the link of the owner. */
const takeOver = async () => {
  const owner = `${uuidv7()}@people.test`;
  const account = { ...ana, email: owner, password: OLD };
  const { id } = (await opened.identity.ask(signUpEndpoints.register, account, ADMIN)).data;
  const self = { caller: { role: 'user', userId: id }, timeoutMs: 30_000 } as const;
  const email = `${uuidv7()}@intruders.test`;
  await opened.identity.ask(emailChangeEndpoints.requestEmailChange, { id, email }, self);
  const [change] = await opened.db.query<{ id: string }[]>(
    'SELECT id FROM email_changes WHERE account_id = ?',
    [id],
  );
  const issue = async (purpose: 'email_change' | 'email_undo') => {
    const order = { purpose, userId: id, reference: change?.id ?? '' };
    return (await opened.identity.ask(identityEndpoints.issueMailedToken, order, SERVICE)).data.token;
  };
  const confirmation = { token: await issue('email_change') };
  await opened.identity.ask(emailChangeEndpoints.confirmEmailChange, confirmation, ANONYMOUS);
  return { id, owner, intruder: email, link: await issue('email_undo') };
};

it(`A13 an intruder who polls the log-in around an undo keeps no session, key, webhook, tool or passkey, seed ${seed}`, async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id, owner, intruder, link } = await takeOver();
    const tokens: string[] = [];
    const logIn = async (email: string) => {
      const { data } = await call('POST /login', { email, password: OLD });
      if (data?.token !== undefined) tokens.push(data.token);
      return data?.token;
    };
    const first = await logIn(intruder);
    const added = await Promise.all(Object.values(ADDITIONS).map((add) => add(first ?? '')));
    expect(added.map(({ status }) => status < 300)).toEqual(added.map(() => true));

    const over = new AbortController();
    const polls = [intruder, owner, intruder].map(async (email) => {
      while (!over.signal.aborted) await logIn(email);
    });
    // Some of what is added is under way at the commit of the undo, with a session that was live when bff checked it.
    const adds = Object.values(ADDITIONS).map(async (add) => {
      while (!over.signal.aborted) await add(tokens.at(-1) ?? '');
    });
    await sleep(random() * 100);
    const undone = await call('POST /api/email/undo', { token: link, password: NEW });
    expect(undone).toMatchObject({ status: 200, data: { email: owner } });
    expect(await remainsOf(id)).toEqual(NOTHING);
    await sleep(50);
    over.abort();
    await Promise.all([...polls, ...adds]);

    for (const token of tokens)
      for (const add of Object.values(ADDITIONS)) expect((await add(token)).status).toBe(401);
    expect(await remainsOf(id)).toEqual(NOTHING);
    for (const email of [intruder, owner]) expect(await logIn(email)).toBeUndefined();
    const { data } = await call('POST /login', { email: owner, password: NEW });
    expect(data?.token).toBeDefined();
  }
});
