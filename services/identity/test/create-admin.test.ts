import { auditEndpoint, SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { ownerAdded, passwordChanged } from '@shortlist/contracts/events/identity';
import { createLog } from '@shortlist/kit/process/log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdmin } from '../src/team/change-admin.ts';
import { recoverAdmin } from '../src/credentials/lost-factors.ts';
import { findAccountByEmail, updatePasswordHash } from '../src/accounts/queries.ts';
import { verifyCredentials } from '../src/credentials/verify-credentials.ts';
import { createHasher, type Hasher } from '../src/passwords.ts';
import { openIdentity } from './open-identity.ts';

const FIRST = 'open sesame';
const SECOND = 'another sesame';
const admin = { caller: { role: 'admin', userId: '0198a0b0-0000-7000-8000-00000000000a' } } as const;

let opened: Awaited<ReturnType<typeof openIdentity>>;
let hasher: Hasher;
beforeAll(async () => {
  opened = await openIdentity();
  hasher = await createHasher();
});
afterAll(() => opened.close());

const create = (email: string, password: string) =>
  createAdmin({ db: opened.db, hasher, clock: () => new Date() }, { email, password });
const reset = async (email: string, password: string) =>
  (await recoverAdmin({ db: opened.db, hasher, clock: () => new Date() }, { email, password }))?.password;
const logIn = (email: string, password: string, hasherOfLogIn = hasher) =>
  verifyCredentials(
    { db: opened.db, hasher: hasherOfLogIn, log: createLog('test', 'silent') },
    { email, password, role: 'admin' },
  );
const idOf = async (email: string): Promise<string> =>
  (await findAccountByEmail(opened.db.manager, email, 'admin'))?.id ?? '';

/** The events and the audit entries about a changed password of this account. */
const changesOf = async (id: string) => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox');
  const events = rows.map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>);
  const { data } = await opened.identity.ask(auditEndpoint, { action: 'account.set_password' }, admin);
  return {
    events: events.filter(({ type, subject }) => type === passwordChanged.type && subject === id).length,
    entries: data.filter(({ targetId }) => targetId === id).length,
  };
};

it('A9 a new password of an existing admin ends the sessions and is in the audit log', async () => {
  const email = 'first@shortlist.test';
  expect(await create(email, FIRST)).toBe('created');
  const id = await idOf(email);
  expect(await changesOf(id)).toEqual({ events: 0, entries: 0 });
  expect(await reset(email, SECOND)).toBe('changed');
  expect(await changesOf(id)).toEqual({ events: 1, entries: 1 });
  await logIn(email, SECOND);
  await expect(logIn(email, FIRST)).rejects.toMatchObject({ status: 401 });
});

it('A9 a change by the admin is in the audit log, with the address of the client', async () => {
  const id = await idOf('first@shortlist.test');
  const caller = { role: 'admin', userId: id, address: '192.0.2.7' } as const;
  const change = { id, password: 'a third sesame', currentPassword: SECOND };
  await opened.identity.ask(identityEndpoints.changePassword, change, { caller, timeoutMs: 30_000 });
  const { data } = await opened.identity.ask(auditEndpoint, { targetId: id, limit: 1 }, admin);
  expect(data).toMatchObject([
    { action: 'account.set_password', actorId: id, address: '192.0.2.7', before: null, after: null },
  ]);
});

it('a repeated creation, even with another password, does not change an existing admin', async () => {
  const email = 'second@shortlist.test';
  await create(email, FIRST);
  const id = await idOf(email);
  const { passwordHash } = await logIn(email, FIRST);
  expect(await create(email, FIRST)).toBe('unchanged');
  expect(await create(email, SECOND)).toBe('unchanged');
  expect(await reset(email, FIRST)).toBe('unchanged');
  expect(await reset('no-admin@shortlist.test', FIRST)).toBeUndefined();
  expect((await logIn(email, FIRST)).passwordHash).toBe(passwordHash);
  expect(await changesOf(id)).toEqual({ events: 0, entries: 0 });
});

it('A5 renewing a hash does not overwrite a concurrent change of the password', async () => {
  const email = 'third@shortlist.test';
  await create(email, FIRST);
  const id = await idOf(email);
  // The other change is committed while the log-in computes the renewed hash.
  const slow: Hasher = {
    ...hasher,
    isWeak: () => true,
    hash: async (password) => {
      const passwordHash = await hasher.hash(SECOND);
      await updatePasswordHash(opened.db.manager, { id, passwordHash, replacing: undefined });
      return hasher.hash(password);
    },
  };
  await logIn(email, FIRST, slow);
  await logIn(email, SECOND);
  await expect(logIn(email, FIRST)).rejects.toMatchObject({ status: 401 });
});

it('D6 a new admin is an owner unless another role is given; an existing one keeps the role', async () => {
  const parts = { db: opened.db, hasher, clock: () => new Date() };
  const roleOf = async (email: string) => (await logIn(email, FIRST)).adminRole;
  await create('owner@shortlist.test', FIRST);
  expect(await roleOf('owner@shortlist.test')).toBe('owner');
  const support = { email: 'support@shortlist.test', password: FIRST };
  await createAdmin(parts, { ...support, role: 'support' });
  await createAdmin(parts, { ...support, role: 'owner' });
  expect(await roleOf(support.email)).toBe('support');
});

it('D6 a creation by the operator is in the audit log, and the owners are notified of a new owner', async () => {
  const parts = { db: opened.db, hasher, clock: () => new Date() };
  const about = async (email: string) => {
    const id = await idOf(email);
    const { data } = await opened.identity.ask(auditEndpoint, { targetId: id }, admin);
    const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox');
    const events = rows.map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>);
    return {
      entries: data.map(({ action, actorId, after }) => ({ action, actorId, after })),
      reports: events
        .filter(({ type, subject }) => type === ownerAdded.type && subject === id)
        .map((event) => event.data),
    };
  };
  const entry = { action: 'team.create', actorId: SYSTEM_ACTOR_ID };
  const owner = { email: 'new-owner@shortlist.test', password: FIRST };
  await createAdmin(parts, owner);
  await createAdmin(parts, owner);
  expect(await about(owner.email)).toEqual({
    entries: [{ ...entry, after: { email: owner.email, role: 'owner' } }],
    reports: [{ by: SYSTEM_ACTOR_ID }],
  });
  const finance = { email: 'new-finance@shortlist.test', password: FIRST, role: 'finance' as const };
  await createAdmin(parts, finance);
  expect(await about(finance.email)).toEqual({
    entries: [{ ...entry, after: { email: finance.email, role: 'finance' } }],
    reports: [],
  });
});
