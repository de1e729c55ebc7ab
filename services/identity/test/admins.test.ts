import { auditEndpoint, auditExportEndpoint } from '@shortlist/contracts/api/audit';
import { systemRecordEndpoint } from '@shortlist/contracts/api/system';
import { identityEndpoints, type Role } from '@shortlist/contracts/api/identity';
import { asService } from '@shortlist/kit/http/http-client';
import { countStatements } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, expect, it } from 'vitest';
import { openIdentity } from './open-identity.ts';
import { insertAccount } from '../src/accounts/queries.ts';

const { db, identity, close } = await openIdentity();
afterAll(close);

const asAdmin = (userId: string) => ({ caller: { role: 'admin', userId, address: '192.0.2.7' } }) as const;

const createAccount = async (role: Role, email: string): Promise<string> => {
  const terms = { termsVersion: null, termsAcceptedAt: null, emailVerifiedAt: null };
  const access = {
    adminRole: role === 'admin' ? 'owner' : null,
    adminName: null,
    adminVersion: 0,
    suspendedAt: null,
    ownedSince: null,
  } as const;
  const row = { id: uuidv7(), email, passwordHash: 'none', role, createdAt: new Date(), ...terms, ...access };
  await insertAccount(db.manager, row);
  return row.id;
};

it('J4 services and admins list all admins, without users, in one statement', async () => {
  const id = await createAccount('admin', 'one@shortlist.test');
  await createAccount('admin', 'two@shortlist.test');
  await createAccount('user', 'bea@talent.test');
  for (const options of [asService(), asAdmin(id)]) {
    const { data } = await identity.ask(identityEndpoints.listAdmins, {}, options);
    expect(data).toContainEqual({ userId: id, email: 'one@shortlist.test', name: null, role: 'owner' });
    expect(data.map(({ email }) => email)).not.toContain('bea@talent.test');
  }
  const list = () => identity.ask(identityEndpoints.listAdmins, {}, asService());
  expect(await countStatements(db, list)).toBe(1);
});

it('an admin can read only their own account, not another admin’s or a user’s', async () => {
  const id = await createAccount('admin', 'three@shortlist.test');
  const user = await createAccount('user', 'ana@talent.test');
  expect(await identity.ask(identityEndpoints.getAdmin, { id }, asAdmin(id))).toEqual({
    data: { userId: id, email: 'three@shortlist.test', name: null, role: 'owner' },
  });
  for (const [about, by] of [
    [id, uuidv7()],
    [user, user],
  ] as const)
    await expect(identity.ask(identityEndpoints.getAdmin, { id: about }, asAdmin(by))).rejects.toMatchObject({
      status: 404,
    });
});

it('an admin changes only their own name, which is recorded', async () => {
  const id = await createAccount('admin', 'five@shortlist.test');
  const rename = (name: string, by = id) =>
    identity.ask(identityEndpoints.renameAdmin, { id, name }, asAdmin(by));
  for (const name of ['Inês C', 'Inês Carvalho', 'Inês Carvalho'])
    expect((await rename(name)).data).toMatchObject({ userId: id, name });
  await expect(rename('Another', uuidv7())).rejects.toMatchObject({ status: 404 });
  for (const invalid of ['I', ' ', 'x'.repeat(101), 'two\nlines'])
    await expect(rename(invalid)).rejects.toMatchObject({ status: 400 });
  const { data } = await identity.ask(auditEndpoint, { targetId: id }, asAdmin(id));
  expect(data).toMatchObject([
    { action: 'admin.rename', before: { name: 'Inês C' }, after: { name: 'Inês Carvalho' } },
    { action: 'admin.rename', before: { name: null }, after: { name: 'Inês C' } },
  ]);
});

it('an export of the audit log is in the audit log with its admin, address and filters', async () => {
  const id = await createAccount('admin', 'four@shortlist.test');
  await identity.ask(auditExportEndpoint, { action: 'plan.grant', isSearch: true }, asAdmin(id));
  const { data } = await identity.ask(auditEndpoint, { action: 'audit.export' }, asAdmin(id));
  expect(data).toMatchObject([
    { actorId: id, targetId: id, address: '192.0.2.7', after: { action: 'plan.grant', isSearch: true } },
  ]);
});

it('what an owner does about failed events and jobs is in the audit log with its details', async () => {
  const id = await createAccount('admin', 'six@shortlist.test');
  const details = { consumer: 'credits', event: 'e-1', reason: 'Paid back by hand' };
  const action = 'system.discard_dead_letter';
  await identity.ask(systemRecordEndpoint, { action, details }, asAdmin(id));
  const { data } = await identity.ask(auditEndpoint, { action }, asAdmin(id));
  expect(data).toMatchObject([{ actorId: id, address: '192.0.2.7', before: null, after: details }]);
});
