import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { logInEndpoints } from '@shortlist/contracts/api/authentication';
import { teamEndpoints } from '@shortlist/contracts/api/team';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { days } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { adminAccessChanged, adminInvited, factorRemoved } from '@shortlist/contracts/events/identity';
import { countRowsRead } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { createAdmin } from '../src/team/change-admin.ts';
import { listAdmins } from '../src/team/queries.ts';
import { codeOf, stepAt } from '../src/factors/totp.ts';
import { createHasher, type Hasher } from '../src/passwords.ts';
import { secretIn } from './authenticator-app.ts';
import { openIdentity, versionOfNow } from './open-identity.ts';

const PASSWORD = 'open sesame';
const EMAIL = 'martijn@shortlist.test';
const anonymous = {
  caller: { role: 'anonymous', userId: null, address: '192.0.2.9' },
  timeoutMs: 30_000,
} as const;
const service = asService();
const as = (userId: string) => ({ caller: { role: 'admin', userId, address: '192.0.2.7' } }) as const;

let opened: Awaited<ReturnType<typeof openIdentity>>;
let hasher: Hasher;
let elapsedMs = 0;
let [ines, tomasz] = ['', ''];

const add = async (email: string, role: AdminRole): Promise<string> => {
  const parts = { db: opened.db, hasher, clock: () => new Date() };
  await createAdmin(parts, { email, password: PASSWORD, role });
  const { data } = await opened.identity.ask(identityEndpoints.listAdmins, {}, service);
  return data.find((admin) => admin.email === email)?.userId ?? '';
};
const ask: typeof opened.identity.ask = (...input) => opened.identity.ask(...input);
const readTeam = async (id = ines) => (await ask(teamEndpoints.getTeam, {}, as(id))).data;
const invite = async (email = EMAIL, role: AdminRole = 'finance') =>
  (await ask(teamEndpoints.inviteAdmin, { email, role }, as(ines))).data;
const issue = async (userId: string) =>
  (await ask(identityEndpoints.issueMailedToken, { purpose: 'admin_invite', userId }, service)).data;
const accept = (token: string, more: { password?: string; name?: string } = {}) =>
  ask(teamEndpoints.acceptInvitation, { token, password: PASSWORD, ...more }, anonymous);
const logIn = (email: string) =>
  ask(logInEndpoints.verifyCredentials, { email, password: PASSWORD, role: 'admin' }, anonymous);
const eventsOf = async ({ type }: { type: string }): Promise<CloudEvent<unknown>[]> =>
  (await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox'))
    .map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>)
    .filter((event) => event.type === type);
const actionsAbout = async (targetId: string) => {
  const { data } = await ask(auditEndpoint, { targetId }, as(ines));
  return data
    .filter(({ action }) => action !== 'team.create') // of the admins of these tests
    .map(({ action, actorId, before, after }) => ({ action, actorId, before, after }));
};

beforeAll(async () => {
  opened = await openIdentity({ clock: () => new Date(Date.now() + elapsedMs) });
  hasher = await createHasher();
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const table of ['accounts', 'admin_invitations', 'outbox'])
    await opened.db.query(`DELETE FROM ${table}`);
  [ines, tomasz] = [await add('ines@shortlist.test', 'owner'), await add('tomasz@shortlist.test', 'support')];
});
afterEach(() => void (elapsedMs = 0));

it('lists the admins without reading the users', async () => {
  const numbers = Array.from({ length: 3_000 }, (_, index) => `SELECT ${index} AS n`).join(' UNION ALL ');
  await opened.db.query(
    `INSERT INTO accounts (id, email, password_hash, role, created_at)
     SELECT UUID(), CONCAT('user', n, '@people.test'), '!', 'user', NOW(3) FROM (${numbers}) AS numbers`,
  );
  await opened.db.query('ANALYZE TABLE accounts');
  const { result, rowsRead } = await countRowsRead(opened.db, listAdmins);
  expect(result.map(({ id }) => id)).toEqual([ines, tomasz].toSorted());
  expect(rowsRead).toBeLessThan(500);
});

describe('an invitation', () => {
  it('D6 is emailed with a token that is in no event, and becomes an admin with the role', async () => {
    const { id } = await invite();
    const [event] = await eventsOf(adminInvited);
    expect(event).toMatchObject({ subject: id, data: { role: 'finance', by: ines } });
    const { token, email } = await issue(id);
    expect(email).toBe(EMAIL);
    expect((await ask(teamEndpoints.checkInvitation, { token }, anonymous)).data).toEqual({
      email: EMAIL,
      role: 'finance',
    });
    await accept(token);
    const { data } = await logIn(EMAIL);
    expect(data).toMatchObject({ role: 'admin', admin: { role: 'finance', version: 0 } });
    expect((await readTeam()).invitations).toEqual([]);
    expect((await actionsAbout(id)).map(({ action }) => action)).toEqual(['team.invite']);
    expect(await actionsAbout(data.id)).toContainEqual({
      action: 'team.join',
      actorId: data.id,
      before: null,
      after: { email: EMAIL, role: 'finance', name: null },
    });
  });

  it('D6 gives the admin the entered name, which the team page and the audit log show', async () => {
    const { token } = await issue((await invite()).id);
    await accept(token, { name: ' Martijn  de Vries ' });
    const member = (await readTeam()).members.find(({ email }) => email === EMAIL);
    expect(member).toMatchObject({ name: 'Martijn  de Vries' });
    expect(await actionsAbout(member?.id ?? '')).toMatchObject([
      { action: 'team.join', after: { email: EMAIL, role: 'finance', name: 'Martijn  de Vries' } },
    ]);
  });

  it.each([
    ['a name that is empty', { name: ' ' }, 'name'],
    ['a name of one character', { name: 'M' }, 'name'],
    ['a name of more than a hundred characters', { name: 'M'.repeat(101) }, 'name'],
    ['a password that is the name', { name: 'Martijn de Vries', password: 'Martijn de Vries' }, 'password'],
    ['a password that is a part of the name', { name: 'Martijn de Vries', password: 'martijn' }, 'password'],
  ])('D6 is not used up by %s, which is refused', async (_case, input, field) => {
    const { token } = await issue((await invite()).id);
    await expect(accept(token, input)).rejects.toMatchObject({
      code: 'request.invalid',
      fields: { [field]: expect.any(String) },
    });
    await accept(token);
  });

  it('D6 works once, for seven days, and not after it is withdrawn', async () => {
    const { id } = await invite();
    const { token } = await issue(id);
    elapsedMs = days(7) + 1_000;
    await expect(accept(token)).rejects.toMatchObject({ code: 'identity.link_ended' });
    expect((await readTeam()).invitations).toMatchObject([{ isExpired: true }]);
    await ask(teamEndpoints.resendInvitation, { id }, as(ines));
    expect((await readTeam()).invitations).toMatchObject([{ isExpired: false }]);
    expect(await eventsOf(adminInvited)).toHaveLength(2);
    const second = await issue(id);
    await accept(second.token);
    await expect(accept(second.token)).rejects.toMatchObject({ code: 'identity.link_ended' });
    const other = await invite('kavya@shortlist.test');
    const withdrawn = await issue(other.id);
    await ask(teamEndpoints.cancelInvitation, { id: other.id }, as(ines));
    await expect(accept(withdrawn.token)).rejects.toMatchObject({ code: 'identity.link_ended' });
    await expect(issue(other.id)).rejects.toMatchObject({ code: 'identity.user_not_found' });
  });

  it('D6 is refused for an address with an account or an open invitation, and for a common password', async () => {
    await expect(invite('tomasz@shortlist.test')).rejects.toMatchObject({ code: 'identity.email_taken' });
    const { id } = await invite();
    await expect(invite()).rejects.toMatchObject({ code: 'identity.already_invited' });
    const { token } = await issue(id);
    await expect(accept(token, { password: 'password' })).rejects.toMatchObject({ code: 'request.invalid' });
    await accept(token);
  });

  it('D6 that is accepted twice concurrently becomes one admin', async () => {
    const { token } = await issue((await invite()).id);
    const outcomes = await Promise.allSettled([accept(token), accept(token)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await readTeam()).members.filter(({ email }) => email === EMAIL)).toHaveLength(1);
  });
});

describe('the team', () => {
  it('D6 is shown to owners, with roles, factors and states', async () => {
    expect(await readTeam()).toEqual({
      ownId: ines,
      members: [
        { id: ines, email: 'ines@shortlist.test', name: null, role: 'owner', ...NEW },
        { id: tomasz, email: 'tomasz@shortlist.test', name: null, role: 'support', ...NEW },
      ],
      invitations: [],
    });
    await expect(readTeam(tomasz)).rejects.toMatchObject({ code: 'session.permission_missing' });
  });

  it('D6 a new role has a higher version, and is in the event and the audit log', async () => {
    const change = { id: tomasz, role: 'read_only' } as const;
    const { data } = await ask(teamEndpoints.changeAdminRole, change, as(ines));
    expect(data.access).toEqual({ role: 'read_only', version: versionOfNow() });
    expect((await eventsOf(adminAccessChanged)).at(-1)).toMatchObject({
      subject: tomasz,
      data: { role: 'read_only', version: versionOfNow(), by: ines },
    });
    expect(await actionsAbout(tomasz)).toEqual([
      {
        action: 'team.change_role',
        actorId: ines,
        before: { role: 'support' },
        after: { role: 'read_only' },
      },
    ]);
  });

  it('D6 a suspended admin has no role and cannot log in until restored', async () => {
    const { data } = await ask(teamEndpoints.suspendAdmin, { id: tomasz, reason: 'On leave' }, as(ines));
    expect(data.access).toEqual({ role: null, version: versionOfNow() });
    const suspended = { role: null, isRemoved: false };
    expect((await eventsOf(adminAccessChanged)).at(-1)).toMatchObject({ data: suspended });
    await expect(logIn('tomasz@shortlist.test')).rejects.toMatchObject({ code: 'identity.suspended' });
    const restored = await ask(teamEndpoints.restoreAdmin, { id: tomasz }, as(ines));
    expect(restored.data.access).toEqual({ role: 'support', version: versionOfNow() });
    expect(restored.data.access.version).toBeGreaterThan(data.access.version);
    await logIn('tomasz@shortlist.test');
  });

  it('D6 a removed admin no longer has an account', async () => {
    const { data } = await ask(teamEndpoints.removeAdmin, { id: tomasz }, as(ines));
    expect(data.access).toEqual({ role: null, version: versionOfNow() });
    // What other services keep for an admin goes with a removal, not with a suspension.
    const { data: said } = (await eventsOf(adminAccessChanged)).at(-1) ?? {};
    expect(said).toMatchObject({ role: null, isRemoved: true });
    await expect(logIn('tomasz@shortlist.test')).rejects.toMatchObject({ status: 401 });
    expect((await readTeam()).members.map(({ id }) => id)).toEqual([ines]);
  });

  it('D6 is changed only by owners, not by one who was an owner a moment ago', async () => {
    const byTomasz = as(tomasz);
    const refused = { code: 'session.permission_missing' };
    const rachel = await add('rachel@shortlist.test', 'owner');
    await ask(teamEndpoints.suspendAdmin, { id: rachel, reason: 'On leave' }, as(ines));
    for (const by of [byTomasz, as(rachel), as(uuidv7())]) {
      const role = { id: ines, role: 'read_only' } as const;
      await expect(ask(teamEndpoints.changeAdminRole, role, by)).rejects.toMatchObject(refused);
      await expect(ask(teamEndpoints.removeAdmin, { id: ines }, by)).rejects.toMatchObject(refused);
      const invitation = { email: EMAIL, role: 'owner' } as const;
      await expect(ask(teamEndpoints.inviteAdmin, invitation, by)).rejects.toMatchObject(refused);
    }
  });

  it('D6 an owner cannot change their own access, so that one always remains', async () => {
    const refused = { code: 'identity.own_access' };
    const role = { id: ines, role: 'support' } as const;
    await expect(ask(teamEndpoints.changeAdminRole, role, as(ines))).rejects.toMatchObject(refused);
    const suspension = { id: ines, reason: 'On leave' };
    await expect(ask(teamEndpoints.suspendAdmin, suspension, as(ines))).rejects.toMatchObject(refused);
    await expect(ask(teamEndpoints.removeAdmin, { id: ines }, as(ines))).rejects.toMatchObject(refused);
  });

  it('D6 if two owners demote, suspend or remove each other concurrently, one remains', async () => {
    const change = {
      demote: (id: string, by: string) =>
        ask(teamEndpoints.changeAdminRole, { id, role: 'read_only' as const }, as(by)),
      suspend: (id: string, by: string) => ask(teamEndpoints.suspendAdmin, { id, reason: 'No' }, as(by)),
      remove: (id: string, by: string) => ask(teamEndpoints.removeAdmin, { id }, as(by)),
    };
    for (const [name, apply] of Object.entries(change)) {
      const pair = [
        await add(`${name}-one@shortlist.test`, 'owner'),
        await add(`${name}-two@shortlist.test`, 'owner'),
      ] as const;
      await Promise.allSettled([apply(pair[0], pair[1]), apply(pair[1], pair[0])]);
      const { members } = await readTeam();
      const left = members.filter(
        ({ id, role, isSuspended }) => pair.includes(id) && role === 'owner' && !isSuspended,
      );
      expect([name, left.length]).toEqual([name, 1]);
    }
  });

  it('D6 an owner removes the lost factor of another admin for a reason, which is recorded and emailed', async () => {
    const self = as(tomasz);
    const started = await ask(factorEndpoints.startTotp, { userId: tomasz }, self);
    const code = codeOf(secretIn(started.data.secret), stepAt(new Date()));
    await ask(factorEndpoints.confirmTotp, { userId: tomasz, code }, self);
    expect((await readTeam()).members[1]).toMatchObject({ id: tomasz, factor: 'totp' });
    const removal = { id: tomasz, reason: 'Lost the phone' };
    await expect(ask(teamEndpoints.removeAdminFactors, removal, self)).rejects.toMatchObject({
      code: 'session.permission_missing',
    });
    await ask(teamEndpoints.removeAdminFactors, removal, as(ines));
    expect((await readTeam()).members[1]).toMatchObject({ id: tomasz, factor: null });
    // The mail and the end of the sessions follow from the event.
    expect(await eventsOf(factorRemoved)).toMatchObject([
      { subject: tomasz, data: { by: ines, reason: 'Lost the phone' } },
    ]);
    // The password stops working with it.
    expect((await actionsAbout(tomasz)).slice(0, 2)).toMatchObject([
      { action: 'account.set_password', actorId: ines },
      { action: 'factor.remove', actorId: ines, after: { reason: 'Lost the phone' } },
    ]);
    await expect(ask(teamEndpoints.removeAdminFactors, removal, as(ines))).rejects.toMatchObject({
      code: 'identity.totp_off',
    });
  });

  it('D6 does not include users', async () => {
    const user = uuidv7();
    await expect(ask(teamEndpoints.removeAdmin, { id: user }, as(ines))).rejects.toMatchObject({
      code: 'identity.admin_not_found',
    });
  });

  it('B3 an owner ends the sessions of another admin, and of users through the page of the user', async () => {
    const ended = await ask(teamEndpoints.endAdminSessions, { id: tomasz }, as(ines));
    expect(ended).toEqual({ generation: versionOfNow() });
    expect((await actionsAbout(tomasz)).map(({ action }) => action)).toEqual(['account.end_sessions']);
    await expect(ask(identityEndpoints.endSessions, { id: tomasz }, as(ines))).rejects.toMatchObject({
      code: 'identity.user_not_found',
    });
  });
});

const NEW = { factor: null, lastLogInAt: null, isSuspended: false };
