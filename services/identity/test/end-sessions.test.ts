import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { rightTo } from '@shortlist/contracts/api/endpoint';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { sessionsEnded } from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, expect, it } from 'vitest';
import { ana, openIdentity, versionOfNow } from './open-identity.ts';

const ADMIN_ID = '0198a0b0-0000-7000-8000-00000000000a';
const admin = { caller: { role: 'admin', userId: ADMIN_ID, address: '192.0.2.7' } } as const;
const anonymous = { caller: { role: 'anonymous', userId: null } } as const;

const { identity, db, close } = await openIdentity();
afterAll(close);

it('an admin who ends the sessions of a user is in the audit log, and begins another generation of the account', async () => {
  const { data: user } = await identity.ask(signUpEndpoints.register, ana, anonymous);
  const reason = 'Shared laptops';
  const end = () => identity.ask(identityEndpoints.endSessions, { id: user.id, reason }, admin);
  const [first, second] = [await end(), await end()];
  expect(first).toEqual({ generation: versionOfNow() });
  expect(second.generation).toBeGreaterThan(first.generation);
  // For a caller that leaves the sessions to bff.
  const outbox = await db.query<{ payload: string }[]>(
    'SELECT payload FROM outbox WHERE message_key = ? AND payload LIKE ? ORDER BY id',
    [user.id, `%"${sessionsEnded.type}"%`],
  );
  expect(outbox.map(({ payload }) => JSON.parse(payload) as object)).toMatchObject(
    [first, second].map(({ generation }) => ({ data: { by: ADMIN_ID, generation } })),
  );
  const { data: entries } = await identity.ask(auditEndpoint, { action: 'account.end_sessions' }, admin);
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({
    actorId: ADMIN_ID,
    targetId: user.id,
    address: '192.0.2.7',
    after: { reason },
  });
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

it('an admin who ends one session of a user is in the audit log, and the session is refused from then on', async () => {
  const { data: user } = await identity.ask(
    signUpEndpoints.register,
    { ...ana, email: 'one@people.test' },
    anonymous,
  );
  const sessionId = uuidv7();
  const own = (id: string) =>
    ({ caller: { role: 'user', userId: user.id, rights: [rightTo('session', id)] } }) as const;
  const end = (id: string) => identity.ask(identityEndpoints.endUserSession, { id, sessionId }, admin);
  await expect(end(ADMIN_ID)).rejects.toMatchObject({ code: 'identity.user_not_found' });
  const change = (id: string) => identity.ask(identityEndpoints.endSessions, { id: user.id }, own(id));
  await end(user.id);
  await expect(change(sessionId)).rejects.toMatchObject({ code: 'session.right_ended' });
  expect(await change(uuidv7())).toHaveProperty('generation');
  const { data: entries } = await identity.ask(auditEndpoint, { action: 'account.end_session' }, admin);
  expect(entries).toEqual([expect.objectContaining({ actorId: ADMIN_ID, targetId: user.id, after: null })]);
});

it('an unknown account has no sessions to end', async () => {
  const unknown = identity.ask(identityEndpoints.endSessions, { id: ADMIN_ID }, admin);
  await expect(unknown).rejects.toMatchObject({ status: 404 });
});
