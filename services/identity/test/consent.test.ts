import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { type NewAccount, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { exampleProfile } from '@shortlist/contracts/testing/examples';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAccountByEmail } from '../src/accounts/queries.ts';
import { openIdentity } from './open-identity.ts';

let opened: Awaited<ReturnType<typeof openIdentity>>;
beforeAll(async () => {
  opened = await openIdentity();
});
afterAll(() => opened.close());

const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;

let count = 0;
const newAccount = (more: Partial<NewAccount> = {}): NewAccount => ({
  email: `ana${(count += 1)}@talent.test`,
  password: 'open sesame',
  ...exampleProfile(),
  picture: null,
  ...more,
});

it('the accepted terms are kept with the account and the time, and are in the audit log', async () => {
  const account = newAccount({ termsVersion: 'terms-7' });
  const { data } = await opened.identity.ask(signUpEndpoints.register, account, anonymous);
  const row = await findAccountByEmail(opened.db.manager, account.email, 'user');
  expect(row?.termsVersion).toBe('terms-7');
  expect(row?.termsAcceptedAt).toEqual(row?.createdAt);
  const log = await opened.identity.ask(auditEndpoint, { targetId: data.id }, admin);
  expect(log.data).toMatchObject([
    { action: 'terms.accept', actorId: data.id, before: null, after: { termsVersion: 'terms-7' } },
  ]);
});

it('an account without terms has no version, no time and no audit entry', async () => {
  const account = newAccount();
  const { data } = await opened.identity.ask(signUpEndpoints.register, account, anonymous);
  const row = await findAccountByEmail(opened.db.manager, account.email, 'user');
  expect(row).toMatchObject({ termsVersion: null, termsAcceptedAt: null });
  expect((await opened.identity.ask(auditEndpoint, { targetId: data.id }, admin)).data).toEqual([]);
});

it('the accepted terms of a deleted user are redacted', async () => {
  const account = newAccount({ termsVersion: 'terms-7' });
  const { data } = await opened.identity.ask(signUpEndpoints.register, account, anonymous);
  await opened.identity.ask(privacyEndpoints.eraseUser, { id: data.id }, admin);
  const log = await opened.identity.ask(auditEndpoint, { targetId: data.id }, admin);
  expect(JSON.stringify(log.data)).not.toContain('terms-7');
});
