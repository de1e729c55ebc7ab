import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { emailRetryEndpoints } from '@shortlist/contracts/api/email';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHasher } from '../src/passwords.ts';
import { createAdmin } from '../src/team/change-admin.ts';
import { ana, openIdentity } from './open-identity.ts';

let opened: Awaited<ReturnType<typeof openIdentity>>;
let userId = '';
const admins: Record<'owner' | 'support', string> = { owner: '', support: '' };
beforeAll(async () => {
  opened = await openIdentity();
  const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
  userId = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
  const hasher = await createHasher();
  for (const role of ['owner', 'support'] as const) {
    const email = `${role}@shortlist.test`;
    await createAdmin(
      { db: opened.db, hasher, clock: () => new Date() },
      { email, password: 'a long pass phrase', role },
    );
    const [row] = await opened.db.query<{ id: string }[]>('SELECT id FROM accounts WHERE email = ?', [email]);
    admins[role] = row?.id ?? '';
  }
});
afterAll(() => opened.close());

const callerOf = (role: 'owner' | 'support') =>
  ({ caller: { role: 'admin', userId: admins[role], address: '192.0.2.7' } }) as const;
const retry = (id: string, role: 'user' | 'admin', by: 'owner' | 'support' = 'support') =>
  opened.identity.ask(emailRetryEndpoints.recordEmailRetry, { id, role }, callerOf(by));
const entriesAbout = async (targetId: string) =>
  (await opened.identity.ask(auditEndpoint, { targetId, action: 'account.retry_email' }, callerOf('owner')))
    .data;

it('an admin who retries the email of a user is recorded, without the email', async () => {
  expect(await retry(userId, 'user')).toEqual({ data: { email: ana.email } });
  const entries = await entriesAbout(userId);
  expect(entries).toMatchObject([
    { actorId: admins.support, address: '192.0.2.7', before: null, after: null },
  ]);
});

it('only an owner may retry the email of an admin', async () => {
  await expect(retry(admins.owner, 'admin', 'support')).rejects.toMatchObject({
    code: 'session.permission_missing',
  });
  expect(await retry(admins.support, 'admin', 'owner')).toEqual({
    data: { email: 'support@shortlist.test' },
  });
  expect(await entriesAbout(admins.owner)).toEqual([]);
  expect(await entriesAbout(admins.support)).toHaveLength(1);
});

it('an account of the other role, or none, is neither retried nor recorded', async () => {
  for (const refused of [
    () => retry(admins.owner, 'user'),
    () => retry(userId, 'admin', 'owner'),
    () => retry(uuidv7(), 'user'),
  ])
    await expect(refused()).rejects.toMatchObject({ code: 'identity.user_not_found' });
  expect(await entriesAbout(admins.owner)).toEqual([]);
});
