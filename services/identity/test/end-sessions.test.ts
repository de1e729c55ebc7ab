import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { afterAll, expect, it } from 'vitest';
import { ana, openIdentity, versionOfNow } from './open-identity.ts';

const ADMIN_ID = '0198a0b0-0000-7000-8000-00000000000a';
const admin = { caller: { role: 'admin', userId: ADMIN_ID, address: '192.0.2.7' } } as const;
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;

const { identity, close } = await openIdentity();
afterAll(close);

it('an admin who ends the sessions of a user is in the audit log, and begins another generation of the account', async () => {
  const { data: user } = await identity.ask(signUpEndpoints.register, ana, anonymous);
  const end = () => identity.ask(identityEndpoints.endSessions, { id: user.id }, admin);
  const [first, second] = [await end(), await end()];
  expect(first).toEqual({ generation: versionOfNow() });
  expect(second.generation).toBeGreaterThan(first.generation);
  const { data: entries } = await identity.ask(auditEndpoint, { action: 'account.end_sessions' }, admin);
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({ actorId: ADMIN_ID, targetId: user.id, address: '192.0.2.7' });
});

it('a user ends only their own sessions', async () => {
  const { data: user } = await identity.ask(
    signUpEndpoints.register,
    { ...ana, email: 'own@people.test' },
    anonymous,
  );
  const self = { caller: { role: 'user', userId: user.id } } as const;
  expect(await identity.ask(identityEndpoints.endSessions, { id: user.id }, self)).toEqual({
    generation: versionOfNow(),
  });
  const other = identity.ask(identityEndpoints.endSessions, { id: ADMIN_ID }, self);
  await expect(other).rejects.toMatchObject({ status: 404 });
});

it('an unknown account has no sessions to end', async () => {
  const unknown = identity.ask(identityEndpoints.endSessions, { id: ADMIN_ID }, admin);
  await expect(unknown).rejects.toMatchObject({ status: 404 });
});
