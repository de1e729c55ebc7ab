// Log-ins that are under way while their account changes: bff and identity, with their database and Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { asService } from '@shortlist/kit/http/http-client';
import { randomFrom, seed } from '@shortlist/kit/testing/sample';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { send } from '../../bff/test/requests.ts';
import { accountOf, type Bff, respondWith, startBff } from '../../bff/test/support.ts';
import { codeOf, stepAt } from '../../services/identity/src/factors/totp.ts';
import type { Hasher } from '../../services/identity/src/passwords.ts';
import { secretIn } from '../../services/identity/test/authenticator-app.ts';
import { createAuthenticator } from '../../services/identity/test/authenticator.ts';
import { ana, openIdentity } from '../../services/identity/test/open-identity.ts';

const OLD = 'open sesame';
const NEW = 'another sesame';
const SERVICE = asService();
const ANONYMOUS = { caller: { role: 'anonymous', userId: null } } as const;

const random = randomFrom(seed);
/** A time in which the other side of a race does some of its steps. */
const pause = (): Promise<void> => sleep(random() * 12);

/** Compares texts after a moment: the race is about the order of steps, and hashes would only take longer. */
const hasher: Hasher = {
  hash: async (password) => {
    await pause();
    return `hash of ${password}`;
  },
  verify: async (passwordHash, password) => {
    await pause();
    return passwordHash === `hash of ${password}`;
  },
  dummyHash: 'hash of nothing',
  isWeak: () => false,
};

let opened: Awaited<ReturnType<typeof openIdentity>>;
let bff: Bff;
beforeAll(async () => {
  opened = await openIdentity({ hasher });
  bff = await startBff(inject('sessionsRedisUrl'), {
    IDENTITY_URL: opened.identity.url,
    TRUSTED_PROXIES: '127.0.0.1',
  });
  bff.upstream.respond = respondWith(() => ({
    data: { email: 'ana@people.test', firstName: 'Ana', lastName: 'Souza' },
    planState: { version: 1 },
  }));
});
afterAll(async () => {
  await bff.close();
  await opened.close();
});

type User = { id: string; email: string };
type Reply = {
  status?: number;
  data?: { token?: string; ticket?: string; deletionDueAt?: string; challenge?: string };
};

const register = async (): Promise<User> => {
  const account = { ...ana, email: `${uuidv7()}@people.test`, password: OLD };
  return (await opened.identity.ask(signUpEndpoints.register, account, ANONYMOUS)).data;
};
/** Each request comes from another network, so that no limit of one ends the race. */
const newNetwork = (): string =>
  `2001:db8:${Math.floor(random() * 65_536).toString(16)}:${Math.floor(random() * 65_536).toString(16)}::1`;
const call = async (target: string, body: object, token?: string): Promise<Reply> => {
  const [method = '', path = ''] = target.split(' ');
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': newNetwork(),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await send(bff.port, path, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, ...(JSON.parse(response.body) as Reply) };
};
const logIn = ({ email }: User, password = OLD): Promise<Reply> => call('POST /login', { email, password });
const tokenOf = ({ data }: Reply): string => {
  expect(data?.token).toBeDefined();
  return data?.token ?? '';
};

type Change = (user: User, ownToken: string) => Promise<Reply>;

const CHANGES: Record<string, Change> = {
  'a change of the password': (_user, token) =>
    call('PUT /api/password', { currentPassword: OLD, password: NEW }, token),
  'a reset of the password': async ({ id }) => {
    const order = { purpose: 'password_reset', userId: id } as const;
    const { data } = await opened.identity.ask(identityEndpoints.issueMailedToken, order, SERVICE);
    return call('POST /api/password/reset', { token: data.token, password: NEW });
  },
  'a request of deletion': ({ email }, token) =>
    call('POST /api/privacy/deletion', { email, subscription: 'end_now' }, token),
};

/** Whether the session of a log-in lives. After a request of deletion, a log-in that knew of it may keep the account. */
const lives = async ({ data }: Reply): Promise<boolean> => {
  const session = await bff.sessions.check(data?.token ?? '');
  return session !== null && !(session.isBeingDeleted && data?.deletionDueAt !== undefined);
};

type Race = {
  begin: (user: User) => Promise<Reply>;
  change: Change;
  prepare?: (user: User) => Promise<void>;
};

/** Runs a race: log-ins with what was right before, around the change. Returns their replies once everything is over. */
const run = async ({ begin, change, prepare }: Race): Promise<Reply[]> => {
  const user = await register();
  const ownToken = tokenOf(await logIn(user));
  await prepare?.(user);
  // As long as a log-in takes on this machine now: the change falls into some of them, before some and after others.
  const startedAt = performance.now();
  await begin(user);
  const span = performance.now() - startedAt;
  const underWay = Array.from({ length: 3 }, async () => {
    await sleep(random() * span);
    return begin(user);
  });
  await sleep(random() * 2 * span);
  expect((await change(user, ownToken)).status).toBe(200);
  return Promise.all(underWay);
};

const runAll = async (count: number, race: Race): Promise<Reply[]> => {
  const replies: Reply[] = [];
  for (let done = 0; done < count; done += 10)
    replies.push(...(await Promise.all(Array.from({ length: 10 }, () => run(race)))).flat());
  return replies;
};
const survivors = async (replies: Reply[]): Promise<number> =>
  (await Promise.all(replies.map(lives))).filter(Boolean).length;

it.each(Object.entries(CHANGES))(
  `A9 of the log-ins with the former password around %s none lives on, seed ${seed}`,
  async (_name, change) => {
    const replies = await runAll(50, { begin: logIn, change });
    // Some were right in time, and some too late: else there was no race.
    const begun = replies.filter(({ data }) => data?.token !== undefined).length;
    expect(begun).toBeGreaterThan(0);
    expect(await survivors(replies)).toBe(0);
  },
);

it(`A9 of the log-ins whose second step is under way during a change of the password none lives on, seed ${seed}`, async () => {
  const codes = new Map<string, string[]>();
  const turnOn = async ({ id: userId }: User): Promise<void> => {
    const self = { caller: { role: 'user', userId } } as const;
    const { data } = await opened.identity.ask(factorEndpoints.startTotp, { userId }, self);
    const code = codeOf(secretIn(data.secret), stepAt(new Date()));
    const confirmed = await opened.identity.ask(factorEndpoints.confirmTotp, { userId, code }, self);
    codes.set(userId, confirmed.data.recoveryCodes);
  };
  const begin = async (user: User): Promise<Reply> => {
    const { data } = await logIn(user);
    if (data?.ticket === undefined) return {};
    return call('POST /api/login/second-factor', {
      ticket: data.ticket,
      recoveryCode: codes.get(user.id)?.pop(),
      remember: true,
    });
  };
  const change = CHANGES['a reset of the password'] as Change;
  const replies = await runAll(30, { begin, change, prepare: turnOn });
  expect(replies.filter(({ data }) => data?.token !== undefined).length).toBeGreaterThan(0);
  expect(await survivors(replies)).toBe(0);
});

it(`A9 of the log-ins with a passkey that an admin removes meanwhile none lives on, seed ${seed}`, async () => {
  const devices = new Map<string, ReturnType<typeof createAuthenticator>>();
  const origin = 'http://localhost:5000';
  const addPasskey = async ({ id: userId }: User): Promise<void> => {
    const device = createAuthenticator();
    const ceremony = { challenge: uuidv7(), origin };
    const passkey = { ...ceremony, response: device.register(ceremony) };
    const self = { caller: { role: 'user', userId } } as const;
    await opened.identity.ask(factorEndpoints.addPasskey, { userId, passkey, name: 'Laptop' }, self);
    devices.set(userId, device);
  };
  const begin = async ({ id: userHandle }: User): Promise<Reply> => {
    const { data } = await call('POST /api/login/passkey/options', {});
    const ceremony = { challenge: data?.challenge ?? '', origin };
    const passkey = devices.get(userHandle)?.assert({ ...ceremony, userHandle });
    return call('POST /api/login/passkey', { passkey, role: 'user' });
  };
  const change: Change = async ({ id }) => {
    const { token } = await bff.sessions.begin(accountOf(uuidv7(), 'admin'));
    const reply = await call(`POST /api/users/${id}/factors/remove`, { reason: 'Lost the phone' }, token);
    // bff consumes the event, which the test delivers itself.
    const [row] = await opened.db.query<{ generation: number }[]>(
      'SELECT generation FROM accounts WHERE id = ?',
      [id],
    );
    await bff.sessions.endAllBefore(id, row?.generation ?? 0);
    return reply;
  };
  const replies = await runAll(20, { begin, change, prepare: addPasskey });
  expect(replies.filter(({ data }) => data?.token !== undefined).length).toBeGreaterThan(0);
  expect(await survivors(replies)).toBe(0);
});
