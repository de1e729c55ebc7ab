import { emailChangeEndpoints, formerEmailEndpoints } from '@shortlist/contracts/api/email';
import { identityEndpoints, type IssuedToken } from '@shortlist/contracts/api/identity';
import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { days, hours } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import {
  emailChanged,
  type EmailChanged,
  emailChangeRequested,
  type EmailChangeRequested,
  takenEmailRequested,
} from '@shortlist/contracts/events/identity';
import { EMAIL_CHANGE_HOURS, EMAIL_UNDO_DAYS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { ana, openIdentity, versionOfNow } from './open-identity.ts';

const anonymous = {
  caller: { role: 'anonymous', userId: null, address: '192.0.2.9' },
  timeoutMs: 30_000,
} as const;
const service = asService();
const admin = { caller: { role: 'admin', userId: uuidv7() }, timeoutMs: 30_000 } as const;
const LINK_ENDED = { code: 'identity.link_ended' };
const TAKEN = { code: 'identity.email_taken' };
const NEW = 'ana.souza@talent.test';

let opened: Awaited<ReturnType<typeof openIdentity>>;
let elapsedMs = 0;
let id = '';
beforeAll(async () => {
  opened = await openIdentity({ clock: () => new Date(Date.now() + elapsedMs) });
});
afterAll(() => opened.close());
beforeEach(async () => {
  for (const table of ['accounts', 'outbox']) await opened.db.query(`DELETE FROM ${table}`);
  id = await register(ana.email);
});
afterEach(() => void (elapsedMs = 0));

/** Registered by an admin, so that the address is confirmed. */
const register = async (email: string): Promise<string> =>
  (await opened.identity.ask(signUpEndpoints.register, { ...ana, email }, admin)).data.id;
const signUp = async (email: string): Promise<string> =>
  (await opened.identity.ask(signUpEndpoints.register, { ...ana, email }, anonymous)).data.id;
const as = (userId: string) => ({ caller: { role: 'user', userId }, timeoutMs: 30_000 }) as const;
const request = (email: string, userId = id, currentPassword = ana.password) =>
  opened.identity.ask(
    emailChangeEndpoints.requestEmailChange,
    { id: userId, email, currentPassword },
    as(userId),
  );
const resend = () => opened.identity.ask(emailChangeEndpoints.resendEmailChange, { id }, as(id));
const emailOf = async (userId = id) =>
  (await opened.identity.ask(identityEndpoints.email, { id: userId }, service)).data;
const isAvailable = async (email: string): Promise<boolean> =>
  (await opened.identity.ask(signUpEndpoints.emailAvailability, { email }, anonymous)).available;

const eventsOf = async <Data>({ type }: { type: string }): Promise<CloudEvent<Data>[]> => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox ORDER BY id');
  return rows
    .map(({ payload }) => JSON.parse(payload) as CloudEvent<Data>)
    .filter((event) => event.type === type);
};
/** The id of the change that was requested last. */
const lastChange = async (): Promise<string> =>
  (await eventsOf<EmailChangeRequested>(emailChangeRequested)).at(-1)?.data.changeId ?? '';
const issue = async (
  purpose: 'email_change' | 'email_undo' | 'password_reset' | 'email_verify',
  reference?: string,
): Promise<IssuedToken> => {
  const order = { purpose, userId: id, ...(reference === undefined ? {} : { reference }) };
  return (await opened.identity.ask(identityEndpoints.issueMailedToken, order, service)).data;
};
const confirm = async (token: string) =>
  (await opened.identity.ask(emailChangeEndpoints.confirmEmailChange, { token }, anonymous)).data;
const enter = (code: string) =>
  opened.identity.ask(emailChangeEndpoints.confirmEmailChangeCode, { id, code }, as(id));
const undo = async (token: string, password = 'mine again') =>
  (await opened.identity.ask(emailChangeEndpoints.undoEmailChange, { token, password }, anonymous)).data;
const logIn = (email: string, password = ana.password) =>
  opened.identity.ask(logInEndpoints.verifyCredentials, { email, password, role: 'user' }, anonymous);
/** Changes the address and returns the id of the change. */
const change = async (email: string): Promise<string> => {
  await request(email);
  const changeId = await lastChange();
  await confirm((await issue('email_change', changeId)).token);
  return changeId;
};
const undoToken = async (changeId: string): Promise<string> => (await issue('email_undo', changeId)).token;

describe('a request to change the address', () => {
  it('A13 changes nothing until the new address is confirmed; only that one then logs in', async () => {
    await request(NEW);
    expect(await emailOf()).toEqual({
      email: ana.email,
      isVerified: true,
      pendingEmail: NEW,
      confirmBy: null,
    });
    await logIn(ana.email);
    const { token, email } = await issue('email_change', await lastChange());
    expect(email).toBe(NEW);
    expect(await confirm(token)).toMatchObject({ userId: id, email: NEW, version: versionOfNow() });
    expect(await emailOf()).toEqual({ email: NEW, isVerified: true, pendingEmail: null, confirmBy: null });
    await logIn(NEW);
    await expect(logIn(ana.email)).rejects.toMatchObject({ code: 'identity.credentials_wrong' });
    await expect(confirm(token)).rejects.toMatchObject(LINK_ENDED);
  });

  it('A13 checks the current password if one is given', async () => {
    await expect(request(NEW, id, 'not this one')).rejects.toMatchObject({
      code: 'identity.current_password_wrong',
    });
    expect((await emailOf()).pendingEmail).toBeNull();
  });

  it('A13 has the same response for an address that has an account, whose owner is notified instead', async () => {
    const ownerId = await register('bo@talent.test');
    expect(await request('bo@talent.test')).toEqual(await request(NEW));
    await request('bo@talent.test');
    expect((await emailOf()).pendingEmail).toBe('bo@talent.test');
    await resend();
    const notices = await eventsOf(takenEmailRequested);
    expect(notices.map(({ subject }) => subject)).toEqual([ownerId, ownerId, ownerId]);
    expect(await eventsOf(emailChangeRequested)).toHaveLength(1);
  });

  it('A13 is refused for the address of the account itself', async () => {
    await expect(request(ana.email)).rejects.toMatchObject({
      code: 'identity.email_unchanged',
      fields: { email: 'This is your current email.' },
    });
  });

  it('A13 ends the link and the code of the previous request', async () => {
    await request(NEW);
    const first = await issue('email_change', await lastChange());
    await request('other@talent.test');
    await expect(confirm(first.token)).rejects.toMatchObject(LINK_ENDED);
    await expect(enter(first.code ?? '')).rejects.toMatchObject({ code: 'identity.email_code_wrong' });
    expect((await emailOf()).email).toBe(ana.email);
  });

  it('A13 issues no token once it is canceled', async () => {
    await request(NEW);
    const { token } = await issue('email_change', await lastChange());
    await opened.identity.ask(emailChangeEndpoints.cancelEmailChange, { id }, as(id));
    expect((await emailOf()).pendingEmail).toBeNull();
    await expect(confirm(token)).rejects.toMatchObject(LINK_ENDED);
    await expect(issue('email_change', await lastChange())).rejects.toMatchObject({
      code: 'identity.user_not_found',
    });
    await resend();
    expect(await eventsOf(emailChangeRequested)).toHaveLength(1);
  });

  it('A13 is confirmed by the emailed code in the user’s session', async () => {
    await request(NEW);
    const { token, code } = await issue('email_change', await lastChange());
    expect((await enter(code ?? '')).data).toMatchObject({ userId: id, email: NEW });
    await expect(confirm(token)).rejects.toMatchObject(LINK_ENDED);
  });

  it('A13 is open for a day', async () => {
    await request(NEW);
    const { token, code } = await issue('email_change', await lastChange());
    elapsedMs = hours(EMAIL_CHANGE_HOURS) + 1_000;
    await expect(confirm(token)).rejects.toMatchObject(LINK_ENDED);
    await expect(enter(code ?? '')).rejects.toMatchObject({ code: 'identity.email_code_wrong' });
    expect((await emailOf()).pendingEmail).toBeNull();
  });

  it('A13 does not take an address that has an account by the time of the confirmation', async () => {
    await request(NEW);
    const { token } = await issue('email_change', await lastChange());
    await register(NEW);
    await expect(confirm(token)).rejects.toMatchObject(TAKEN);
    expect((await emailOf()).email).toBe(ana.email);
  });
});

describe('a changed address', () => {
  it('A13 is emitted with a growing version and recorded with both addresses', async () => {
    const first = await change(NEW);
    await change('third@talent.test');
    const events = await eventsOf<EmailChanged>(emailChanged);
    expect(events.map(({ data }) => data)).toMatchObject([
      { email: NEW, version: versionOfNow(), changeId: first },
      { email: 'third@talent.test', version: versionOfNow() },
    ]);
    const query = { targetId: id, action: 'account.change_email' };
    const { data } = await opened.identity.ask(auditEndpoint, query, admin);
    expect(data[1]).toMatchObject({
      actorId: id,
      address: '192.0.2.9',
      before: { email: ana.email },
      after: { email: NEW },
    });
  });

  it('A13 ends the links that the old address has received', async () => {
    const reset = await issue('password_reset');
    await change(NEW);
    const input = { token: reset.token, password: 'another sesame' };
    await expect(
      opened.identity.ask(identityEndpoints.resetPassword, input, anonymous),
    ).rejects.toMatchObject(LINK_ENDED);
  });

  it('A12 confirms an unconfirmed account; its first address may be another person’s and gets no undo', async () => {
    id = await signUp('typo@talent.test');
    const verification = await issue('email_verify');
    const changeId = await change(NEW);
    expect(await emailOf()).toMatchObject({ email: NEW, isVerified: true });
    await expect(issue('email_undo', changeId)).rejects.toMatchObject({ code: 'identity.user_not_found' });
    const { token } = verification;
    await expect(
      opened.identity.ask(signUpEndpoints.verifyEmail, { token }, anonymous),
    ).rejects.toMatchObject(LINK_ENDED);
    await signUp('typo@talent.test');
  });
});

describe('an undone change', () => {
  it('A13 restores the old address with a new password, once', async () => {
    const token = await undoToken(await change(NEW));
    const check = await opened.identity.ask(emailChangeEndpoints.checkEmailUndo, { token }, anonymous);
    expect(check.data).toMatchObject({ userId: id, email: ana.email, isConfirmed: true });
    expect(await undo(token)).toMatchObject({ userId: id, email: ana.email, version: versionOfNow() });
    await expect(undo(token)).rejects.toMatchObject(LINK_ENDED);
    await logIn(ana.email, 'mine again');
    await expect(logIn(ana.email)).rejects.toMatchObject({ code: 'identity.credentials_wrong' });
    expect((await eventsOf<EmailChanged>(emailChanged)).at(-1)?.data).toMatchObject({ email: ana.email });
  });

  it('A13 with a password that is refused changes nothing, and its link still works', async () => {
    const token = await undoToken(await change(NEW));
    await expect(undo(token, ana.email)).rejects.toMatchObject({
      code: 'request.invalid',
      fields: { password: expect.any(String) as string },
    });
    expect((await emailOf()).email).toBe(NEW);
    expect(await undo(token)).toMatchObject({ email: ana.email });
  });

  it('A13 ends a reset link and an open request of the new address', async () => {
    const token = await undoToken(await change(NEW));
    const reset = await issue('password_reset');
    await request('fourth@talent.test');
    const pending = await issue('email_change', await lastChange());
    await undo(token);
    const input = { token: reset.token, password: 'another sesame' };
    await expect(
      opened.identity.ask(identityEndpoints.resetPassword, input, anonymous),
    ).rejects.toMatchObject(LINK_ENDED);
    await expect(confirm(pending.token)).rejects.toMatchObject(LINK_ENDED);
    expect((await emailOf()).pendingEmail).toBeNull();
  });

  it('A13 is possible for seven days', async () => {
    const token = await undoToken(await change(NEW));
    elapsedMs = days(EMAIL_UNDO_DAYS) + 1_000;
    await expect(undo(token)).rejects.toMatchObject(LINK_ENDED);
    expect(await isAvailable(ana.email)).toBe(true);
  });

  it('A13 of two changes, each link restores its own address', async () => {
    const first = await undoToken(await change(NEW));
    const second = await undoToken(await change('third@talent.test'));
    expect(await undo(second)).toMatchObject({ email: NEW });
    expect(await undo(first)).toMatchObject({ email: ana.email });
  });

  it('A13 the link of the first change ends that of the second', async () => {
    const first = await undoToken(await change(NEW));
    const second = await undoToken(await change('third@talent.test'));
    expect(await undo(first)).toMatchObject({ email: ana.email });
    await expect(undo(second)).rejects.toMatchObject(LINK_ENDED);
    expect(await isAvailable(NEW)).toBe(true);
  });
});

describe('an address that can still undo a change', () => {
  it('A13 is reserved: no other account gets it by sign-up or by a change', async () => {
    const changeId = await change(NEW);
    expect(await isAvailable(ana.email)).toBe(false);
    await expect(signUp(ana.email)).rejects.toMatchObject({
      ...TAKEN,
      fields: { email: expect.any(String) as string },
    });
    const otherId = await register('bo@talent.test');
    await request(ana.email, otherId);
    const otherChange = await lastChange();
    await expect(
      opened.identity.ask(
        identityEndpoints.issueMailedToken,
        { purpose: 'email_change', userId: otherId, reference: otherChange },
        service,
      ),
    ).rejects.toMatchObject({ code: 'identity.user_not_found' });
    expect(await undo(await undoToken(changeId))).toMatchObject({ email: ana.email });
  });

  it('A13 is available to the account itself, and to others after the account’s deletion', async () => {
    await change(NEW);
    await change(ana.email);
    expect((await emailOf()).email).toBe(ana.email);
    await opened.identity.ask(privacyEndpoints.eraseUser, { id }, admin);
    expect(await opened.db.query('SELECT * FROM email_changes')).toEqual([]);
    await signUp(NEW);
  });
});

describe('the former owners of an email', () => {
  const formerOwners = async (email: string): Promise<string[]> =>
    (await opened.identity.ask(formerEmailEndpoints.findFormerOwners, { email }, admin)).data;

  it('are those who changed from it, whoever has it now', async () => {
    await request(NEW);
    expect(await formerOwners(ana.email)).toEqual([]);
    await change(NEW);
    expect(await formerOwners(ana.email.toUpperCase())).toEqual([id]);
    expect(await formerOwners(NEW)).toEqual([]);
    elapsedMs = days(EMAIL_UNDO_DAYS) + hours(1);
    const next = await register(ana.email);
    expect(await formerOwners(ana.email)).toEqual([next, id]);
  });

  it('are no users whose account is deleted', async () => {
    await change(NEW);
    await opened.identity.ask(privacyEndpoints.eraseUser, { id }, admin);
    expect(await formerOwners(ana.email)).toEqual([]);
  });
});
