import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { teamEndpoints } from '@shortlist/contracts/api/team';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { days } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { adminInvited, ownerAdded } from '@shortlist/contracts/events/identity';
import { inTransaction } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, removeAdmin } from '../src/team/change-admin.ts';
import { createHasher, type Hasher } from '../src/passwords.ts';
import { acceptInvitation } from '../src/team/invite-admin.ts';
import { openIdentity } from './open-identity.ts';

const PASSWORD = 'open sesame';
const EMAIL = 'martijn@shortlist.test';
const ENDED = { code: 'identity.link_ended' };
const anonymous = {
  caller: { role: 'anonymous', userId: null, address: '192.0.2.9' },
  timeoutMs: 30_000,
} as const;
const service = asService();
const as = (userId: string) => ({ caller: { role: 'admin', userId, address: '192.0.2.7' } }) as const;

let opened: Awaited<ReturnType<typeof openIdentity>>;
let hasher: Hasher;
let elapsedMs = 0;
let [ines, rachel] = ['', ''];

const ask: typeof opened.identity.ask = (...input) => opened.identity.ask(...input);
const addOwner = async (email: string): Promise<string> => {
  const parts = { db: opened.db, hasher, clock: () => new Date() };
  await createAdmin(parts, { email, password: PASSWORD });
  const { data } = await ask(identityEndpoints.listAdmins, {}, service);
  return data.find((admin) => admin.email === email)?.userId ?? '';
};
const invite = async (by: string, role: AdminRole = 'finance'): Promise<string> =>
  (await ask(teamEndpoints.inviteAdmin, { email: EMAIL, role }, as(by))).data.id;
const resend = (id: string, by: string) => ask(teamEndpoints.resendInvitation, { id }, as(by));
const issue = async (userId: string): Promise<string> =>
  (await ask(identityEndpoints.issueMailedToken, { purpose: 'admin_invite', userId }, service)).data.token;
const accept = (token: string) =>
  ask(teamEndpoints.acceptInvitation, { token, password: PASSWORD }, anonymous);
/** The step after the password is hashed, in which time the invitation may have ended. */
const acceptHashed = (token: string) => {
  const clock = () => new Date(Date.now() + elapsedMs);
  const acceptance = { token, passwordHash: 'none', name: null, address: '192.0.2.9', clock };
  return inTransaction(opened.db, (tx) => acceptInvitation(tx, acceptance));
};
const team = async (by: string) => (await ask(teamEndpoints.getTeam, {}, as(by))).data;
const emailsOf = async (by: string): Promise<string[]> => (await team(by)).members.map(({ email }) => email);
const eventsOf = async ({ type }: { type: string }): Promise<CloudEvent<unknown>[]> =>
  (await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox'))
    .map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>)
    .filter((event) => event.type === type);
const entriesAbout = async (targetId: string) =>
  (await ask(auditEndpoint, { targetId }, as(ines))).data.map(({ action, actorId }) => ({ action, actorId }));

const remove = (id: string) => ask(teamEndpoints.removeAdmin, { id }, as(ines));
const demote = (id: string) => ask(teamEndpoints.changeAdminRole, { id, role: 'support' }, as(ines));
const suspend = (id: string) => ask(teamEndpoints.suspendAdmin, { id, reason: 'Left' }, as(ines));
const WAYS = { removed: remove, demoted: demote, suspended: suspend } as const;
const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];

beforeAll(async () => {
  opened = await openIdentity({ clock: () => new Date(Date.now() + elapsedMs) });
  hasher = await createHasher();
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const table of ['accounts', 'admin_invitations', 'outbox'])
    await opened.db.query(`DELETE FROM ${table}`);
  ines = await addOwner('ines@shortlist.test');
  rachel = await addOwner('rachel@shortlist.test');
});
afterEach(() => void (elapsedMs = 0));

describe('D6 the invitations of an owner', () => {
  it.each(ways)('end when the owner is %s, which is recorded', async (way) => {
    const id = await invite(rachel);
    const token = await issue(id);
    await WAYS[way](rachel);
    expect((await team(ines)).invitations).toEqual([]);
    await expect(ask(teamEndpoints.checkInvitation, { token }, anonymous)).rejects.toMatchObject(ENDED);
    await expect(accept(token)).rejects.toMatchObject(ENDED);
    await expect(issue(id)).rejects.toMatchObject({ code: 'identity.user_not_found' });
    expect((await entriesAbout(id))[0]).toEqual({ action: 'team.cancel_invitation', actorId: ines });
    await expect(resend(id, ines)).rejects.toMatchObject({ code: 'identity.invitation_not_found' });
  });

  it('do not return with the access of the owner', async () => {
    const token = await issue(await invite(rachel));
    await suspend(rachel);
    await ask(teamEndpoints.restoreAdmin, { id: rachel }, as(ines));
    await expect(accept(token)).rejects.toMatchObject(ENDED);
    const second = await issue(await invite(rachel));
    await demote(rachel);
    await ask(teamEndpoints.changeAdminRole, { id: rachel, role: 'owner' }, as(ines));
    await expect(accept(second)).rejects.toMatchObject(ENDED);
    expect(await emailsOf(ines)).not.toContain(EMAIL);
  });

  it('of other owners stay, and an accepted one stays accepted', async () => {
    const token = await issue(await invite(ines));
    await suspend(rachel);
    await accept(token);
    await ask(teamEndpoints.restoreAdmin, { id: rachel }, as(ines));
    expect(await emailsOf(rachel)).toContain(EMAIL);
  });

  it.each(['removed', 'suspended', 'demoted'])(
    'are not accepted if the inviter was %s but an invitation remained',
    async (way) => {
      const id = await invite(rachel);
      const token = await issue(id);
      // As in an earlier version, which ended no invitations.
      const changes = {
        removed: 'DELETE FROM accounts WHERE id = ?',
        suspended: 'UPDATE accounts SET suspended_at = NOW(3) WHERE id = ?',
        demoted: "UPDATE accounts SET admin_role = 'support' WHERE id = ?",
      };
      await opened.db.query(changes[way as keyof typeof changes], [rachel]);
      await expect(ask(teamEndpoints.checkInvitation, { token }, anonymous)).rejects.toMatchObject(ENDED);
      await expect(accept(token)).rejects.toMatchObject(ENDED);
      await expect(acceptHashed(token)).rejects.toMatchObject(ENDED);
      await expect(issue(id)).rejects.toMatchObject({ code: 'identity.user_not_found' });
    },
  );

  it('wait, when accepted, for a removal in progress, and end with it', async () => {
    const id = await invite(rachel);
    const token = await issue(id);
    let acceptance: Promise<string> | undefined;
    await opened.db.transaction(async (tx) => {
      await removeAdmin(tx, { id: rachel, caller: as(ines).caller, clock: () => new Date() });
      acceptance = accept(token).then(
        () => 'accepted',
        ({ code }: { code: string }) => code,
      );
      await opened.untilAccountLocked();
    });
    expect(await acceptance).toBe('identity.link_ended');
    expect(await emailsOf(ines)).toEqual(['ines@shortlist.test']);
  });

  it('are accepted or end, never both, when acceptance and suspension are concurrent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = `joiner-${round}@shortlist.test`;
      const { data } = await ask(teamEndpoints.inviteAdmin, { email, role: 'finance' }, as(rachel));
      const token = await issue(data.id);
      const [accepted] = await Promise.allSettled([accept(token), suspend(rachel)]);
      const hasJoined = (await emailsOf(ines)).includes(email);
      expect([round, hasJoined]).toEqual([round, accepted.status === 'fulfilled']);
      expect((await team(ines)).invitations).toEqual([]);
      await ask(teamEndpoints.restoreAdmin, { id: rachel }, as(ines));
    }
  });
});

describe('D6 an invitation', () => {
  it('expires by its own time, even with a token that was emailed late', async () => {
    const id = await invite(ines);
    elapsedMs = days(6);
    const token = await issue(id);
    elapsedMs = days(7) + 1_000;
    await expect(ask(teamEndpoints.checkInvitation, { token }, anonymous)).rejects.toMatchObject(ENDED);
    await expect(accept(token)).rejects.toMatchObject(ENDED);
    await expect(acceptHashed(token)).rejects.toMatchObject(ENDED);
    await expect(issue(id)).rejects.toMatchObject({ code: 'identity.user_not_found' });
  });

  it('belongs to the owner who sends it again, and ends with that owner, not with the first', async () => {
    const id = await invite(rachel);
    const first = await issue(id);
    const { data } = await resend(id, ines);
    expect(data.invitedBy).toBe('ines@shortlist.test');
    expect((await eventsOf(adminInvited)).map((event) => event.data)).toEqual([
      { role: 'finance', by: rachel },
      { role: 'finance', by: ines },
    ]);
    expect(await entriesAbout(id)).toEqual([
      { action: 'team.resend_invitation', actorId: ines },
      { action: 'team.invite', actorId: rachel },
    ]);
    await remove(rachel);
    await accept(first);
    expect(await emailsOf(ines)).toContain(EMAIL);
  });

  it('that was sent again by another owner ends with that owner', async () => {
    const id = await invite(ines);
    const token = await issue(id);
    await resend(id, rachel);
    await suspend(rachel);
    await expect(accept(token)).rejects.toMatchObject(ENDED);
  });

  it('of a removed inviter can be sent again by another owner, who becomes its inviter', async () => {
    const id = await invite(rachel);
    await opened.db.query('DELETE FROM accounts WHERE id = ?', [rachel]);
    await resend(id, ines);
    await accept(await issue(id));
    expect(await emailsOf(ines)).toContain(EMAIL);
  });
});

describe('D6 a new owner is reported to the owners', () => {
  it('when an invitation is accepted, with the inviter', async () => {
    await accept(await issue(await invite(ines, 'owner')));
    const { members } = await team(ines);
    const { id = '' } = members.find(({ email }) => email === EMAIL) ?? {};
    expect((await eventsOf(ownerAdded)).at(-1)).toMatchObject({ subject: id, data: { by: ines } });
  });

  it('when an admin gets the role or gets it back, and not for other changes', async () => {
    const count = (await eventsOf(ownerAdded)).length;
    await demote(rachel);
    await suspend(rachel);
    await ask(teamEndpoints.restoreAdmin, { id: rachel }, as(ines));
    expect(await eventsOf(ownerAdded)).toHaveLength(count);
    await ask(teamEndpoints.changeAdminRole, { id: rachel, role: 'owner' }, as(ines));
    await ask(teamEndpoints.changeAdminRole, { id: rachel, role: 'owner' }, as(ines));
    expect(await eventsOf(ownerAdded)).toHaveLength(count + 1);
    await suspend(rachel);
    await ask(teamEndpoints.restoreAdmin, { id: rachel }, as(ines));
    expect((await eventsOf(ownerAdded)).slice(count)).toMatchObject([
      { subject: rachel, data: { by: ines } },
      { subject: rachel, data: { by: ines } },
    ]);
  });
});
