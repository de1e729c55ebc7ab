// Changes that bff has let through, and whose right ends before they commit: bff, identity and credits, with their databases and Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import { accessEnded } from '@shortlist/contracts/events/identity';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { untilLockWait } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { isLongRun } from '@shortlist/kit/testing/sample';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { send } from '../../bff/test/requests.ts';
import { accountOf, type Bff, respondWith, startBff } from '../../bff/test/support.ts';
import { openCredits } from '../../services/credits/test/support.ts';
import { codeOf, stepAt } from '../../services/identity/src/factors/totp.ts';
import type { Hasher } from '../../services/identity/src/passwords.ts';
import { secretIn } from '../../services/identity/test/authenticator-app.ts';
import { createAuthenticator } from '../../services/identity/test/authenticator.ts';
import { ana, openIdentity } from '../../services/identity/test/open-identity.ts';

const PASSWORD = 'open sesame';
const ORIGIN = 'http://localhost:5000';
const ANONYMOUS = { caller: { role: 'anonymous', userId: null } } as const;

/** The race is about the order of steps, and hashes would only take longer. */
const hasher: Hasher = {
  hash: (password) => Promise.resolve(`hash of ${password}`),
  verify: (passwordHash, password) => Promise.resolve(passwordHash === `hash of ${password}`),
  dummyHash: 'hash of nothing',
  isWeak: () => false,
};

let opened: Awaited<ReturnType<typeof openIdentity>>;
let credits: Awaited<ReturnType<typeof openCredits>>;
let bff: Bff;
beforeAll(async () => {
  opened = await openIdentity({ hasher, poolSize: 20 });
  credits = await openCredits({ start: new Date() });
  bff = await startBff(inject('sessionsRedisUrl'), {
    IDENTITY_URL: opened.identity.url,
    CREDITS_URL: credits.url,
    TRUSTED_PROXIES: '127.0.0.1',
  });
  bff.upstream.respond = respondWith(() => ({ data: { firstName: 'Ana', lastName: 'Souza' } }));
});
afterAll(async () => {
  await bff.close();
  await credits.close();
  await opened.close();
});

type Reply = { status: number; code?: string; data?: Record<string, string> };

let networks = 0;
const call = async (target: string, body: object, token?: string): Promise<Reply> => {
  const [method = '', path = ''] = target.split(' ');
  networks += 1;
  const response = await send(bff.port, path, {
    method,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': uuidv7(),
      'x-forwarded-for': `2001:db8:${networks.toString(16)}::1`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const { error, data } = JSON.parse(response.body) as { error?: { code: string }; data?: Reply['data'] };
  return { status: response.status, ...(error && { code: error.code }), ...(data && { data }) };
};

type User = { id: string; email: string; token: string };

const register = async (): Promise<User> => {
  const account = { ...ana, email: `${uuidv7()}@people.test`, password: PASSWORD };
  const { data } = await opened.identity.ask(signUpEndpoints.register, account, ANONYMOUS);
  const { token } = await bff.sessions.begin(accountOf(data.id, 'user'));
  return { ...data, token };
};

/** What an intruder with a session would add, ready to be sent. */
const ADDITIONS: Record<string, (user: User) => Promise<() => Promise<Reply>>> = {
  'an API key': ({ token }) =>
    Promise.resolve(() =>
      call('POST /api/api-keys', { name: 'Bot', scopes: ['credits:charge'], expiresInDays: 90 }, token),
    ),
  'a webhook': ({ token }) =>
    Promise.resolve(() =>
      call('POST /api/webhooks', { url: 'https://example.com/hook', events: ['plan.changed'] }, token),
    ),
  'a passkey': async ({ token }) => {
    const { data } = await call('POST /api/factors/passkeys/options', {}, token);
    const response = createAuthenticator().register({ challenge: data?.['challenge'] ?? '', origin: ORIGIN });
    return () => call('POST /api/factors/passkeys', { passkey: response, name: 'Laptop' }, token);
  },
  'an authenticator app': async ({ id, token }) => {
    const self = { caller: { role: 'user', userId: id } } as const;
    const { data } = await opened.identity.ask(factorEndpoints.startTotp, { userId: id }, self);
    const code = codeOf(secretIn(data.secret), stepAt(new Date()));
    return () => call('POST /api/factors/totp/confirm', { code }, token);
  },
  'a change of the address': ({ token }) =>
    Promise.resolve(() =>
      call('POST /api/email/change', { email: `${uuidv7()}@thief.test`, currentPassword: PASSWORD }, token),
    ),
};

const reset = async ({ id }: User): Promise<void> => {
  const order = { purpose: 'password_reset', userId: id } as const;
  const { data } = await opened.identity.ask(identityEndpoints.issueMailedToken, order, asService());
  const reply = await call('POST /api/password/reset', { token: data.token, password: 'another sesame' });
  expect(reply.status).toBe(200);
};

/** What ends the session's right. All but a log-out wait for the lock of the account. */
const ENDS: Record<string, (user: User) => Promise<unknown>> = {
  'a reset': reset,
  'a log-out': ({ token }) => call('POST /api/logout', {}, token),
  'the end of all sessions by an admin': async ({ id }) => {
    const { token } = await bff.sessions.begin(accountOf(uuidv7(), 'admin'));
    return call(`DELETE /api/users/${id}/sessions`, {}, token);
  },
  'a deletion that is requested': ({ email, token }) =>
    call('POST /api/privacy/deletion', { email, subscription: 'end_now' }, token),
};

/** What gives access, or would once its mail is confirmed. */
const LIVE = [
  'api_keys WHERE revoked_at IS NULL AND user_id = ?',
  'webhooks WHERE stop IS NULL AND user_id = ?',
  'passkeys WHERE account_id = ?',
  'totp_secrets WHERE confirmed_at IS NOT NULL AND account_id = ?',
  'email_changes WHERE ended_at IS NULL AND account_id = ?',
];

const countAdded = async ({ id }: User): Promise<number> => {
  const counts = await Promise.all(
    LIVE.map(async (rows) => {
      const [row] = await opened.db.query<{ count: string }[]>(`SELECT COUNT(*) AS count FROM ${rows}`, [id]);
      return Number(row?.count);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

/** Statements that wait for the lock of an account, also for the check of a foreign key. */
const WAITING = /accounts.*FOR UPDATE|^UPDATE `accounts`|^INSERT INTO `(passkeys|recovery_codes)`/s;
const untilWaiting = (count: number): Promise<void> => untilLockWait(opened.db, WAITING, count);

describe.each(Object.entries(ENDS))('a change that bff let through before %s', (name, end) => {
  it.each(Object.entries(ADDITIONS))('adds no %s afterwards', async (_addition, prepare) => {
    const user = await register();
    const add = await prepare(user);
    const underWay: { ending?: Promise<unknown>; adding?: Promise<Reply> } = {};
    await inTransaction(opened.db, async (tx) => {
      await tx.query('SELECT id FROM accounts WHERE id = ? FOR UPDATE', [user.id]);
      if (name === 'a log-out') {
        underWay.adding = add();
        await untilWaiting(1);
        await end(user);
        return;
      }
      // The lock is granted in the order of the requests: the end comes first.
      underWay.ending = end(user);
      await untilWaiting(1);
      underWay.adding = add();
      await untilWaiting(2);
    });
    await underWay.ending;
    const reply = await underWay.adding;
    // Of two that deadlock, either may come first; what came before a reset, the reset removes.
    if (name !== 'a reset' || (reply?.status ?? 0) >= 300)
      expect(reply?.code).toMatch(/^(session\.right_ended|identity\.deletion_pending)$/);
    expect(await countAdded(user)).toBe(0);
  });
});

/** An admin with an account and a session of this role. */
const addAdmin = async (role: 'owner' | 'support') => {
  const id = uuidv7();
  const row = [id, `${id}@shortlist.test`, 'hash of nothing', 'admin', role, 'Ines', new Date(), new Date()];
  await opened.db.query(
    `INSERT INTO accounts (id, email, password_hash, role, admin_role, admin_name, created_at, email_verified_at)
     VALUES (?)`,
    [row],
  );
  const owner = { userId: id, role: 'admin', generation: 0, access: { role, version: 0 } } as const;
  return { id, token: (await bff.sessions.begin(owner)).token };
};

it('a change of an admin that bff let through before a suspension is refused', async () => {
  const [owner, support] = [await addAdmin('owner'), await addAdmin('support')];
  const underWay: { ending?: Promise<Reply>; change?: Promise<Reply> } = {};
  await inTransaction(opened.db, async (tx) => {
    await tx.query('SELECT id FROM accounts WHERE id = ? FOR UPDATE', [support.id]);
    underWay.ending = call(`POST /api/admin/team/${support.id}/suspend`, { reason: 'On leave' }, owner.token);
    await untilWaiting(1);
    underWay.change = call('PUT /api/admin/me', { name: 'Someone else' }, support.token);
    await untilWaiting(2);
  });
  expect((await underWay.ending)?.status).toBe(200);
  expect((await underWay.change)?.code).toBe('session.right_ended');
  const [row] = await opened.db.query<{ name: string }[]>(
    'SELECT admin_name AS name FROM accounts WHERE id = ?',
    [support.id],
  );
  expect(row?.name).toBe('Ines');
});

const rounds = isLongRun ? 250 : 25;

it(`of twelve ordinary requests around a reset none leaves anything, in ${rounds} rounds`, async () => {
  let refused = 0;
  let added = 0;
  for (let round = 0; round < rounds; round += 1) {
    const user = await register();
    const requests = await Promise.all(
      Array.from({ length: 3 }, () =>
        Promise.all(
          ['an API key', 'a webhook', 'a passkey', 'a change of the address'].map((name) =>
            (ADDITIONS[name] as (typeof ADDITIONS)[string])(user),
          ),
        ),
      ),
    );
    const underWay = requests.flat().map(async (request) => {
      await sleep(Math.random() * 35);
      return request();
    });
    await Promise.all([sleep(Math.random() * 20).then(() => reset(user)), ...underWay]);
    for (const { status } of await Promise.all(underWay)) {
      if (status < 300) added += 1;
      else refused += 1;
    }
    // The address was never confirmed: the reset removes what came before it, and refuses what comes after it.
    expect(await countAdded(user)).toBe(0);
  }
  // Some were right in time, and some too late: else there was no race.
  expect(added).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});

it('a charge with a right that has ended is refused once credits knows of the end', async () => {
  const user = await register();
  credits.time.set(new Date());
  const charge = () => call('POST /api/credits/spend', { reason: 'email_found' }, user.token);
  expect((await charge()).status).toBe(200);
  await opened.identity.ask(
    identityEndpoints.endSessions,
    { id: user.id },
    { caller: { role: 'user', userId: user.id } },
  );
  const published = () =>
    opened.identity.bus
      .published(accessEnded.topic)
      .filter(({ value }) => value.includes(`account:${user.id}`));
  await until('the event', () => published().length > 0);
  await credits.bus.publish(accessEnded.topic, published());
  await until('the end', async () => {
    const rows = await credits.db.query<unknown[]>('SELECT 1 FROM ended_rights WHERE right_id = ?', [
      `account:${user.id}`,
    ]);
    return rows.length > 0;
  });
  // bff's own store does not know of it, as it would not know of one that comes while the charge is under way.
  const refused = await charge();
  expect([refused.status, refused.code]).toEqual([409, 'session.right_ended']);
  const [row] = await credits.db.query<{ count: string }[]>(
    'SELECT COUNT(*) AS count FROM ledger WHERE user_id = ?',
    [user.id],
  );
  expect(Number(row?.count)).toBe(1);
});
