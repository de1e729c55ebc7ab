import { createHash } from 'node:crypto';
import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { identityEndpoints, type IssuedToken } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { minutes } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { passwordChanged, passwordResetRequested } from '@shortlist/contracts/events/identity';
import { RESET_MINUTES } from '@shortlist/contracts/limits';
import { asService } from '@shortlist/kit/http/http-client';
import { countStatements } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdmin } from '../src/team/change-admin.ts';
import { createHasher } from '../src/passwords.ts';
import { ana, openIdentity } from './open-identity.ts';

const anonymous = {
  caller: { role: 'anonymous', userId: null, address: '192.0.2.9' },
  timeoutMs: 30_000,
} as const;
const service = asService();
const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;
const LINK_ENDED = { code: 'identity.link_ended', status: 410 };

let opened: Awaited<ReturnType<typeof openIdentity>>;
let elapsedMs = 0;
beforeAll(async () => {
  opened = await openIdentity({ clock: () => new Date(Date.now() + elapsedMs) });
});
afterAll(() => opened.close());
let anaId = '';
beforeEach(async () => {
  await opened.db.query('DELETE FROM accounts');
  anaId = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
});
afterEach(() => void (elapsedMs = 0));

const issue = async (userId = anaId): Promise<IssuedToken> =>
  (
    await opened.identity.ask(
      identityEndpoints.issueMailedToken,
      { purpose: 'password_reset', userId },
      service,
    )
  ).data;
const check = (token: string) =>
  opened.identity.ask(identityEndpoints.checkPasswordReset, { token }, anonymous);
const reset = async (token: string, password = 'another sesame') =>
  (await opened.identity.ask(identityEndpoints.resetPassword, { token, password }, anonymous)).data;
const logIn = (password: string, email = ana.email, role: 'user' | 'admin' = 'user') =>
  opened.identity.ask(logInEndpoints.verifyCredentials, { email, password, role }, anonymous);
const eventsOf = async ({ type }: { type: string }): Promise<CloudEvent<unknown>[]> => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox');
  return rows
    .map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>)
    .filter((event) => event.type === type);
};

describe('A10 a request for a reset', () => {
  it('A10 has the same response and the same statements for a known and an unknown address', async () => {
    const request = (email: string) =>
      opened.identity.ask(identityEndpoints.requestPasswordReset, { email }, anonymous);
    const responses: unknown[] = [];
    const statements: number[] = [];
    for (const email of [ana.email, 'unknown@talent.test'])
      statements.push(
        await countStatements(opened.db, async () => void responses.push(await request(email))),
      );
    expect(responses).toEqual([{}, {}]);
    expect(statements[0]).toEqual(statements[1]);
    const subjects = (await eventsOf(passwordResetRequested)).map(({ subject }) => subject);
    expect(subjects).toHaveLength(2);
    expect(subjects.filter((subject) => subject === anaId)).toHaveLength(1);
  });

  it('A10 issues no token for an id without an account', async () => {
    await expect(issue(uuidv7())).rejects.toMatchObject({ code: 'identity.user_not_found' });
  });
});

describe('A10 the token of a reset', () => {
  it('A10 has 256 bits and is stored as a hash', async () => {
    const { token, email } = await issue();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(email).toBe(ana.email);
    const rows: { token_hash: string }[] = await opened.db.query(
      'SELECT * FROM mailed_tokens WHERE account_id = ?',
      [anaId],
    );
    expect(rows.map((row) => row.token_hash)).toEqual([
      createHash('sha256').update(token).digest('base64url'),
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('A10 sets the password, with an event and an audit entry of the user', async () => {
    const { token } = await issue();
    expect(await check(token)).toEqual({ data: { userId: anaId, email: ana.email, role: 'user' } });
    expect(await reset(token)).toMatchObject({ userId: anaId, email: ana.email });
    await logIn('another sesame');
    await expect(logIn(ana.password)).rejects.toMatchObject({ code: 'identity.credentials_wrong' });
    expect((await eventsOf(passwordChanged)).filter(({ subject }) => subject === anaId)).toHaveLength(1);
    const { data } = await opened.identity.ask(auditEndpoint, { targetId: anaId }, admin);
    expect(data).toMatchObject([{ action: 'account.set_password', actorId: anaId, address: '192.0.2.9' }]);
  });

  it('A10 works once, even if two uses are concurrent', async () => {
    const { token } = await issue();
    const results = await Promise.allSettled([reset(token, 'first choice'), reset(token, 'second choice')]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(reset(token)).rejects.toMatchObject(LINK_ENDED);
    await expect(check(token)).rejects.toMatchObject(LINK_ENDED);
  });

  it('A10 ends when another one of the account is used', async () => {
    const [first, second] = [await issue(), await issue()];
    await check(first.token);
    await reset(second.token);
    await expect(reset(first.token)).rejects.toMatchObject(LINK_ENDED);
  });

  it('A10 ends when the password is changed in another way', async () => {
    const { token } = await issue();
    const change = { id: anaId, password: 'set by an admin' };
    await opened.identity.ask(identityEndpoints.changePassword, change, { ...admin, timeoutMs: 30_000 });
    await expect(reset(token)).rejects.toMatchObject(LINK_ENDED);
  });

  it('A10 works for 30 minutes', async () => {
    const { token } = await issue();
    elapsedMs = minutes(RESET_MINUTES) - 5_000;
    await check(token);
    elapsedMs = minutes(RESET_MINUTES) + 1_000;
    await expect(check(token)).rejects.toMatchObject(LINK_ENDED);
    await expect(reset(token)).rejects.toMatchObject(LINK_ENDED);
  });

  it('A10 stays open when the new password is refused', async () => {
    const { token } = await issue();
    await expect(reset(token, 'short')).rejects.toMatchObject({ code: 'request.invalid' });
    await reset(token);
  });

  it('A10 does not exist for a deleted account', async () => {
    const { token } = await issue();
    await opened.identity.ask(privacyEndpoints.eraseUser, { id: anaId }, admin);
    await expect(reset(token)).rejects.toMatchObject(LINK_ENDED);
    expect(await opened.db.query('SELECT 1 FROM mailed_tokens WHERE account_id = ?', [anaId])).toEqual([]);
  });
});

it('A10 an admin resets a lost password in the same way', async () => {
  const email = 'root@talent.test';
  await createAdmin(
    { db: opened.db, hasher: await createHasher(), clock: () => new Date() },
    { email, password: 'a password to lose' },
  );
  const { data } = await opened.identity.ask(identityEndpoints.listAdmins, {}, service);
  const { token } = await issue(data[0]?.userId);
  await reset(token, 'found again today');
  await logIn('found again today', email, 'admin');
});
