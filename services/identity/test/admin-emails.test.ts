import { identityEndpoints, type Role } from '@shortlist/contracts/api/identity';
import { asService } from '@shortlist/kit/http/http-client';
import { countStatements } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, expect, it } from 'vitest';
import { openIdentity } from './open-identity.ts';
import { insertAccount } from '../src/accounts/queries.ts';

const { db, identity, close } = await openIdentity();
afterAll(close);

const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;

const createAccount = async (role: Role, email: string): Promise<string> => {
  const terms = { termsVersion: null, termsAcceptedAt: null, emailVerifiedAt: null };
  const access = {
    adminRole: role === 'admin' ? 'owner' : null,
    adminVersion: 0,
    suspendedAt: null,
    ownedSince: null,
  } as const;
  const row = { id: uuidv7(), email, passwordHash: 'none', role, createdAt: new Date(), ...terms, ...access };
  await insertAccount(db.manager, row);
  return row.id;
};
const emailsOf = async (ids: string[]) =>
  (await identity.ask(identityEndpoints.adminEmails, { ids: ids.join(',') }, admin)).data;

it('J4 the addresses of admins are read in one statement, for any number of ids', async () => {
  const ids = [
    await createAccount('admin', 'one@shortlist.test'),
    await createAccount('admin', 'two@shortlist.test'),
  ];
  for (const requestedIds of [ids.slice(0, 1), [...ids, ...Array.from({ length: 198 }, () => uuidv7())]])
    expect(await countStatements(db, () => emailsOf(requestedIds))).toBe(1);
  expect(await emailsOf(ids)).toEqual([
    { id: ids[0], email: 'one@shortlist.test' },
    { id: ids[1], email: 'two@shortlist.test' },
  ]);
});

it('all admins, and no users, are listed for internal services', async () => {
  const id = await createAccount('admin', 'three@shortlist.test');
  await createAccount('user', 'bea@talent.test');
  const { data } = await identity.ask(identityEndpoints.listAdmins, {}, asService());
  expect(data).toContainEqual({ userId: id, email: 'three@shortlist.test', role: 'owner' });
  expect(data.map(({ email }) => email)).not.toContain('bea@talent.test');
});

it('addresses are returned of admins only, and to admins only', async () => {
  const id = await createAccount('user', 'ana@talent.test');
  expect(await emailsOf([id, uuidv7(), ''])).toEqual([]);
  const asAna = { caller: { role: 'user', userId: id } } as const;
  await expect(identity.ask(identityEndpoints.adminEmails, { ids: id }, asAna)).rejects.toMatchObject({
    code: 'session.forbidden',
  });
});

it('D3 ids beyond visible ASCII are refused', async () => {
  for (const id of ['é', `${uuidv7().slice(1)}１`, '🎩', ' ', '\n'])
    await expect(emailsOf([id])).rejects.toMatchObject({ code: 'request.invalid' });
});
