import { emailChangeEndpoints, unconfirmedEndpoints } from '@shortlist/contracts/api/email';
import { identityEndpoints, type TokenPurpose } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { teamEndpoints } from '@shortlist/contracts/api/team';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import {
  emailChangeRequested,
  registrationRequested,
  takenEmailRequested,
  userDeleted,
  userRegistered,
} from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { createAdmin } from '../src/team/change-admin.ts';
import { EXPIRED_REGISTRATIONS } from '../src/accounts/queries.ts';
import { createHasher } from '../src/passwords.ts';
import { ana, openIdentity } from './open-identity.ts';

const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
const service = asService();
const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;
const TAKEN = { code: 'identity.email_taken' };
const PICTURE = '0123456789abcdef0123456789abcdef.jpg';
const LINK_ENDED = { code: 'identity.link_ended' };

let opened: Awaited<ReturnType<typeof openIdentity>>;
let ownerId = '';
/** The account of an outsider who signed up with another person's email. */
let holderId = '';
beforeAll(async () => {
  opened = await openIdentity();
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const table of ['accounts', 'admin_invitations', 'outbox', 'mailed_tokens', 'registrations'])
    await opened.db.query(`DELETE FROM ${table}`);
  const parts = { db: opened.db, hasher: await createHasher(), clock: () => new Date() };
  await createAdmin(parts, { email: 'ines@shortlist.test', password: 'a long password', role: 'owner' });
  const { data } = await ask(identityEndpoints.listAdmins, {}, service);
  ownerId = data[0]?.userId ?? '';
  holderId = (await ask(signUpEndpoints.register, ana, anonymous)).data.id;
});

const ask: typeof opened.identity.ask = (...input) => opened.identity.ask(...input);
const issue = async (purpose: TokenPurpose, userId: string, reference?: string) => {
  const order = { purpose, userId, ...(reference === undefined ? {} : { reference }) };
  return (await ask(identityEndpoints.issueMailedToken, order, service)).data.token;
};
const confirmHolder = async () =>
  ask(signUpEndpoints.verifyEmail, { token: await issue('email_verify', holderId) }, anonymous);
const holderExists = async (): Promise<boolean> =>
  (await opened.db.query<unknown[]>('SELECT 1 FROM accounts WHERE id = ?', [holderId])).length === 1;
const accountsOf = (email: string) =>
  opened.db.query<{ id: string; role: string }[]>('SELECT id, role FROM accounts WHERE email = ?', [email]);
const subjectsOf = async ({ type }: { type: string }): Promise<string[]> =>
  (await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox'))
    .map(({ payload }) => JSON.parse(payload) as CloudEvent<{ changeId?: string }>)
    .filter((event) => event.type === type)
    .map(({ subject }) => subject);
const keep = () => ask(unconfirmedEndpoints.keepAccount, { userId: holderId, keptFor: 'plan' }, service);

describe('an invitation to an address that an unconfirmed account has', () => {
  const invite = async () =>
    (
      await ask(
        teamEndpoints.inviteAdmin,
        { email: ana.email, role: 'support' },
        { caller: { role: 'admin', userId: ownerId } },
      )
    ).data.id;
  const accept = (token: string) =>
    ask(teamEndpoints.acceptInvitation, { token, password: 'another long one' }, anonymous);

  it('D6 becomes an admin, and the account is deleted with all its data', async () => {
    const token = await issue('admin_invite', await invite());
    expect(await holderExists(), 'until it is accepted').toBe(true);
    await accept(token);
    expect(await accountsOf(ana.email)).toMatchObject([{ role: 'admin' }]);
    expect(await subjectsOf(userDeleted)).toEqual([holderId]);
  });

  it('D6 is refused once the account is confirmed, before and after the mail', async () => {
    const token = await issue('admin_invite', await invite());
    await confirmHolder();
    await expect(accept(token)).rejects.toMatchObject(TAKEN);
    await opened.db.query('DELETE FROM admin_invitations');
    await expect(invite()).rejects.toMatchObject(TAKEN);
    expect(await holderExists()).toBe(true);
  });

  it('D6 is refused for an account with a plan, and for one that an admin has created', async () => {
    await keep();
    await expect(invite()).rejects.toMatchObject(TAKEN);
    await opened.db.query('DELETE FROM accounts WHERE id = ?', [holderId]);
    await ask(signUpEndpoints.register, ana, admin);
    await expect(invite()).rejects.toMatchObject(TAKEN);
  });

  it('D6 ends the sign-up that came while it was open', async () => {
    await opened.db.query('DELETE FROM accounts WHERE id = ?', [holderId]);
    const token = await issue('admin_invite', await invite());
    holderId = (await ask(signUpEndpoints.register, ana, anonymous)).data.id;
    await accept(token);
    expect(await accountsOf(ana.email)).toMatchObject([{ role: 'admin' }]);
    expect(await holderExists()).toBe(false);
  });

  it('D6 and a concurrent confirmation leave one account with the address', async () => {
    for (let round = 0; round < 6; round += 1) {
      const invitation = await issue('admin_invite', await invite());
      const verification = await issue('email_verify', holderId);
      const [accepted, confirmed] = await Promise.allSettled([
        accept(invitation),
        ask(signUpEndpoints.verifyEmail, { token: verification }, anonymous),
      ]);
      expect([accepted.status, confirmed.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      const role = accepted.status === 'fulfilled' ? 'admin' : 'user';
      expect(await accountsOf(ana.email)).toMatchObject([{ role }]);
      if (confirmed.status === 'rejected') expect(confirmed.reason).toMatchObject(LINK_ENDED);
      await opened.db.query('DELETE FROM admin_invitations');
      await opened.db.query('DELETE FROM accounts WHERE email = ?', [ana.email]);
      holderId = (await ask(signUpEndpoints.register, ana, anonymous)).data.id;
    }
  });
});

describe('a sign-up with an address that an unconfirmed account has', () => {
  const OWN = 'my own password';
  const signUp = async (password = OWN) =>
    ask(signUpEndpoints.register, { ...ana, password, firstName: 'Anna', picture: PICTURE }, anonymous);
  const follow = (token: string) => ask(signUpEndpoints.verifyEmail, { token }, anonymous);
  const logIn = (password: string) =>
    ask(logInEndpoints.verifyCredentials, { email: ana.email, password, role: 'user' }, anonymous);
  const WRONG = { code: 'identity.credentials_wrong' };

  it('A12 passes the form, and is pending until its email is confirmed', async () => {
    const free = await ask(signUpEndpoints.emailAvailability, { email: ana.email }, anonymous);
    expect(free.available).toBe(true);
    const { data, isPending } = await signUp();
    expect(isPending).toBe(true);
    expect(await subjectsOf(registrationRequested)).toEqual([data.id]);
    expect(await accountsOf(ana.email)).toMatchObject([{ id: holderId }]);
    await expect(logIn(OWN)).rejects.toMatchObject(WRONG);
    await logIn(ana.password);
    const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox');
    expect(JSON.stringify(rows)).not.toContain(OWN);
  });

  it('A12 becomes the account if it is confirmed first, and the other is deleted with all its data', async () => {
    const { data } = await signUp();
    const confirmed = await follow(await issue('email_verify', data.id));
    const [account] = await accountsOf(ana.email);
    expect(await accountsOf(ana.email)).toHaveLength(1);
    expect(await subjectsOf(userDeleted)).toEqual([holderId]);
    const { password: _, ...profile } = ana;
    expect(confirmed.data).toMatchObject({ userId: account?.id, email: ana.email });
    expect(confirmed.data.registered).toMatchObject({ ...profile, firstName: 'Anna', picture: null });
    expect(await subjectsOf(userRegistered)).toEqual([holderId, account?.id]);
    await logIn(OWN);
    await expect(logIn(ana.password)).rejects.toMatchObject(WRONG);
    const view = await ask(identityEndpoints.email, { id: account?.id ?? '' }, service);
    expect(view.data).toMatchObject({ isVerified: true, confirmBy: null });
  });

  it('A12 is refused once the account is confirmed, even by an earlier link', async () => {
    const token = await issue('email_verify', (await signUp()).data.id);
    await confirmHolder();
    await expect(follow(token)).rejects.toMatchObject(TAKEN);
    await expect(signUp()).rejects.toMatchObject(TAKEN);
    expect(await holderExists()).toBe(true);
    await logIn(ana.password);
  });

  it('A12 of the owner cannot be prevented by others who sign up repeatedly', async () => {
    for (let round = 0; round < 5; round += 1) await signUp(`of an outsider ${round}`);
    const { data } = await signUp();
    const overdue = await issue('email_verify', (await signUp('of another outsider')).data.id);
    await follow(await issue('email_verify', data.id));
    await logIn(OWN);
    await expect(follow(overdue), 'and the others end with it').rejects.toMatchObject(LINK_ENDED);
    expect(await opened.db.query('SELECT id FROM registrations')).toEqual([]);
  });

  it('A12 is refused for an account with a plan, whose owner sets a new password instead', async () => {
    const token = await issue('email_verify', (await signUp()).data.id);
    await keep();
    await expect(signUp()).rejects.toMatchObject(TAKEN);
    await expect(follow(token)).rejects.toMatchObject(TAKEN);
    const reset = { token: await issue('password_reset', holderId), password: OWN };
    await ask(identityEndpoints.resetPassword, reset, anonymous);
    await logIn(OWN);
  });

  it('A12 becomes the account after the other one expired or was deleted', async () => {
    const token = await issue('email_verify', (await signUp()).data.id);
    await ask(privacyEndpoints.eraseUser, { id: holderId }, admin);
    await follow(token);
    await logIn(OWN);
  });

  it('A12 and a concurrent confirmation of the other leave one account', async () => {
    for (let round = 0; round < 6; round += 1) {
      const tokens = [
        await issue('email_verify', (await signUp()).data.id),
        await issue('email_verify', (await signUp()).data.id),
        await issue('email_verify', holderId),
      ];
      const outcomes = await Promise.allSettled(tokens.map(follow));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await accountsOf(ana.email)).toHaveLength(1);
      await opened.db.query('DELETE FROM accounts WHERE email = ?', [ana.email]);
      await opened.db.query('DELETE FROM registrations');
      holderId = (await ask(signUpEndpoints.register, ana, anonymous)).data.id;
    }
  });

  it('A12 by an admin is refused, because an admin has no proof of the mailbox', async () => {
    await expect(ask(signUpEndpoints.register, ana, admin)).rejects.toMatchObject(TAKEN);
  });

  it('A12 is deleted when its link expires', async () => {
    const { data } = await signUp();
    const token = await issue('email_verify', data.id);
    await opened.db.query('UPDATE registrations SET expires_at = NOW(3) - INTERVAL 1 DAY');
    await expect(follow(token)).rejects.toMatchObject(LINK_ENDED);
    await expect(issue('email_verify', data.id)).rejects.toMatchObject({ code: 'identity.user_not_found' });
    await opened.db.query(EXPIRED_REGISTRATIONS.remove, [new Date(), 100]);
    expect(await opened.db.query('SELECT id FROM registrations')).toEqual([]);
  });
});

describe('a change to an address that an unconfirmed account has', () => {
  const request = async (): Promise<string> => {
    const { data } = await ask(signUpEndpoints.register, { ...ana, email: 'ana.souza@talent.test' }, admin);
    await ask(
      emailChangeEndpoints.requestEmailChange,
      { id: data.id, email: ana.email, currentPassword: ana.password },
      { caller: { role: 'user', userId: data.id } },
    );
    return data.id;
  };
  const changeIdOf = async (userId: string): Promise<string> =>
    (
      await opened.db.query<{ id: string }[]>('SELECT id FROM email_changes WHERE account_id = ?', [userId])
    )[0]?.id ?? '';

  it('A13 emails the address, and deletes the account when the owner confirms the change', async () => {
    const userId = await request();
    expect(await subjectsOf(emailChangeRequested)).toEqual([userId]);
    expect(await subjectsOf(takenEmailRequested)).toEqual([]);
    const token = await issue('email_change', userId, await changeIdOf(userId));
    expect(await holderExists()).toBe(true);
    await ask(emailChangeEndpoints.confirmEmailChange, { token }, anonymous);
    expect(await accountsOf(ana.email)).toMatchObject([{ id: userId }]);
    expect(await subjectsOf(userDeleted)).toEqual([holderId]);
  });

  it('A13 is refused if the account was confirmed after the email', async () => {
    const userId = await request();
    const token = await issue('email_change', userId, await changeIdOf(userId));
    await confirmHolder();
    const refused = ask(emailChangeEndpoints.confirmEmailChange, { token }, anonymous);
    await expect(refused).rejects.toMatchObject(TAKEN);
    expect(await holderExists()).toBe(true);
  });
});
