// What an intruder with the password and a session may do against the owner's link for taking the account back.
import { randomBytes } from 'node:crypto';
import { emailChangeEndpoints } from '@shortlist/contracts/api/email';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints, type TokenPurpose } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { days, hours, minutes } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import {
  deletionCancelled,
  emailChangeRequested,
  type EmailChangeRequested,
  passwordChanged,
} from '@shortlist/contracts/events/identity';
import { EMAIL_CHANGE_HOURS, EMAIL_UNDO_DAYS } from '@shortlist/contracts/limits';
import { asService } from '@shortlist/kit/http/http-client';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticator } from './authenticator.ts';
import { ana, openIdentity } from './open-identity.ts';

const call = { timeoutMs: 30_000 };
const anonymous = { caller: { role: 'anonymous', userId: null, address: '192.0.2.9' }, ...call } as const;
const service = asService(call);
const admin = { caller: { role: 'admin', userId: uuidv7() }, ...call } as const;
const LINK_ENDED = { code: 'identity.link_ended' };
const REFUSED = { code: 'identity.credentials_wrong' };
const NEW = 'mine again';

let opened: Awaited<ReturnType<typeof openIdentity>>;
let elapsedMs = 0;
/** How far the serving process's clock differs from the shared one. */
let skewMs = 0;
beforeAll(async () => {
  opened = await openIdentity({
    clock: () => new Date(Date.now() + elapsedMs + skewMs),
    sharedClock: () => Promise.resolve(new Date(Date.now() + elapsedMs)),
  });
});
afterAll(() => opened.close());

let id = '';
let email = '';
const self = () => ({ caller: { role: 'user', userId: id }, ...call }) as const;
const ask: typeof opened.identity.ask = (endpoint, input, options) =>
  opened.identity.ask(endpoint, input, options);
beforeEach(async () => {
  [elapsedMs, skewMs] = [0, 0];
  email = `${uuidv7()}@people.test`;
  // Registered by an admin, so that the address is confirmed.
  id = (await ask(signUpEndpoints.register, { ...ana, email }, admin)).data.id;
});

const eventsOf = async <Data>({ type }: { type: string }): Promise<CloudEvent<Data>[]> => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox ORDER BY id');
  return rows
    .map(({ payload }) => JSON.parse(payload) as CloudEvent<Data>)
    .filter((event) => event.type === type && event.subject === id);
};
const issue = async (purpose: TokenPurpose, reference?: string): Promise<string> => {
  const order = { purpose, userId: id, ...(reference === undefined ? {} : { reference }) };
  return (await ask(identityEndpoints.issueMailedToken, order, service)).data.token;
};
const requestChange = async (): Promise<string> => {
  const newEmail = `${uuidv7()}@intruders.test`;
  await ask(emailChangeEndpoints.requestEmailChange, { id, email: newEmail }, self());
  return (await eventsOf<EmailChangeRequested>(emailChangeRequested)).at(-1)?.data.changeId ?? '';
};
const confirm = async (changeId: string) => {
  const token = await issue('email_change', changeId);
  return ask(emailChangeEndpoints.confirmEmailChange, { token }, anonymous);
};
const cancel = () => ask(emailChangeEndpoints.cancelEmailChange, { id }, self());
const undo = async (token: string, password = NEW) =>
  (await ask(emailChangeEndpoints.undoEmailChange, { token, password }, anonymous)).data;
const changePassword = (currentPassword: string, password: string) =>
  ask(identityEndpoints.changePassword, { id, password, currentPassword }, self());
const requestDeletion = async () => {
  const { email: present } = (await ask(identityEndpoints.email, { id }, service)).data;
  await ask(privacyEndpoints.requestDeletion, { id, email: present, subscription: 'keep' }, self());
};
const logIn = (password: string, address = email) =>
  ask(logInEndpoints.verifyCredentials, { email: address, password, role: 'user' }, anonymous);
const addPasskey = async (): Promise<void> => {
  const ceremony = {
    challenge: randomBytes(32).toString('base64url'),
    origin: 'https://app.shortlist.test',
  };
  const passkey = { ...ceremony, response: createAuthenticator().register(ceremony) };
  await ask(factorEndpoints.addPasskey, { userId: id, passkey, name: 'Laptop' }, self());
};
const expectOwned = async () => {
  await logIn(NEW);
  for (const password of [ana.password, 'of the intruder', 'another of theirs'])
    await expect(logIn(password)).rejects.toMatchObject(REFUSED);
};

/** Actions of a session after the change was requested or confirmed. */
const ATTACKS = {
  'a new password': () => changePassword(ana.password, 'of the intruder'),
  'two new passwords': async () => {
    await changePassword(ana.password, 'of the intruder');
    await changePassword('of the intruder', 'another of theirs');
  },
  'a cancellation': cancel,
  'another request': requestChange,
  'another request that is canceled, too': async () => {
    await requestChange();
    await cancel();
  },
  'another change, which is confirmed': async () => void (await confirm(await requestChange())),
  'a request of deletion': requestDeletion,
  'a request to reset the password': async () => {
    await ask(identityEndpoints.requestPasswordReset, { email }, anonymous);
    await issue('password_reset');
  },
  'the end of all sessions': () => ask(identityEndpoints.endSessions, { id, withAccess: true }, self()),
  'the time in which the request could be confirmed': () => {
    elapsedMs += hours(EMAIL_CHANGE_HOURS) + 1_000;
    return Promise.resolve();
  },
};

describe.each(['requested', 'confirmed'])('a link that was mailed once a change was %s', (state) => {
  const beginChange = async (): Promise<string> => {
    const changeId = await requestChange();
    if (state === 'confirmed') await confirm(changeId);
    elapsedMs += 1_000;
    return changeId;
  };

  it.each(Object.entries(ATTACKS))('A13 survives %s', async (_name, attack) => {
    const token = await issue('email_undo', await beginChange());
    await attack();
    await addPasskey();
    expect(await undo(token)).toMatchObject({ email, removed: { passkeys: 1 } });
    await expectOwned();
  });

  it.each(Object.entries(ATTACKS))('A13 is emailed although %s comes before it', async (_name, attack) => {
    const changeId = await beginChange();
    await attack();
    expect(await undo(await issue('email_undo', changeId))).toMatchObject({ email });
    await expectOwned();
  });

  it('A13 ends after its days, and once it is used', async () => {
    const changeId = await beginChange();
    const [first, second] = [await issue('email_undo', changeId), await issue('email_undo', changeId)];
    await undo(first);
    for (const token of [first, second]) await expect(undo(token)).rejects.toMatchObject(LINK_ENDED);
    const late = await issue('email_undo', await beginChange());
    elapsedMs += days(EMAIL_UNDO_DAYS) + 1_000;
    await expect(undo(late)).rejects.toMatchObject(LINK_ENDED);
  });

  it('A13 used several times concurrently takes the account back once', async () => {
    const token = await issue('email_undo', await beginChange());
    const passwords = Array.from({ length: 6 }, (_, count) => `mine again ${count}`);
    const outcomes = await Promise.allSettled(passwords.map((password) => undo(token, password)));
    const won = outcomes.flatMap(({ status }, count) => (status === 'fulfilled' ? [count] : []));
    expect(won).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(LINK_ENDED);
    await logIn(`mine again ${won[0]}`);
    expect(await eventsOf(passwordChanged)).toHaveLength(1);
  });

  it('A13 cancels a deletion that was requested, which is emitted', async () => {
    const token = await issue('email_undo', await beginChange());
    await requestDeletion();
    const { data } = await ask(emailChangeEndpoints.checkEmailUndo, { token }, anonymous);
    expect(data.deletion).toBe(true);
    expect((await undo(token)).removed.deletion).toBe(true);
    expect((await ask(privacyEndpoints.getDeletion, { id }, self())).data).toBeNull();
    expect(await eventsOf(deletionCancelled)).toHaveLength(1);
  });

  it('A13 takes the account back while it moves to yet another address', async () => {
    for (let round = 0; round < 8; round += 1) {
      const token = await issue('email_undo', await beginChange());
      const change = await issue('email_change', await requestChange());
      await Promise.allSettled([
        undo(token),
        ask(emailChangeEndpoints.confirmEmailChange, { token: change }, anonymous),
        changePassword(ana.password, 'of the intruder'),
      ]);
      await expectOwned();
      const { email: present, pendingEmail } = (await ask(identityEndpoints.email, { id }, service)).data;
      expect({ present, pendingEmail }).toEqual({ present: email, pendingEmail: null });
      await ask(identityEndpoints.changePassword, { id, password: ana.password }, admin);
    }
  });
});

describe('an undo', () => {
  it('A13 removes what was added after an earlier request that was canceled', async () => {
    await requestChange();
    await cancel();
    elapsedMs += 1_000;
    await addPasskey();
    elapsedMs += 1_000;
    const token = await issue('email_undo', await requestChange());
    expect((await undo(token)).removed.passkeys).toBe(1);
  });

  it('A13 by the intruder’s address ends no link of the owner, whatever the processes’ clocks', async () => {
    const ofOwner = await requestChange();
    await confirm(ofOwner);
    const token = await issue('email_undo', ofOwner);
    elapsedMs += 1_000;
    skewMs = minutes(-10);
    const ofIntruder = await requestChange();
    await confirm(ofIntruder);
    const other = await issue('email_undo', ofIntruder);
    skewMs = 0;
    await undo(other, 'of the intruder');
    expect(await undo(token)).toMatchObject({ email });
    await expectOwned();
  });

  it('A13 by the owner ends the links of every later address, whatever the processes’ clocks', async () => {
    const first = await requestChange();
    await confirm(first);
    const token = await issue('email_undo', first);
    elapsedMs += 1_000;
    skewMs = minutes(-10);
    const second = await requestChange();
    await confirm(second);
    const later = await issue('email_undo', second);
    skewMs = 0;
    await undo(token);
    await expect(undo(later)).rejects.toMatchObject(LINK_ENDED);
  });
});

describe('a link to reset the password', () => {
  const reset = (token: string) =>
    ask(identityEndpoints.resetPassword, { token, password: NEW }, anonymous).then(({ data }) => data);

  it('A9 survives a new password set in a session, which may be an intruder’s', async () => {
    const token = await issue('password_reset');
    await changePassword(ana.password, 'of the intruder');
    expect(await reset(token)).toMatchObject({ userId: id });
    await expectOwned();
  });

  it('A9 ends when another one is used, or when an admin sets a password', async () => {
    const [first, second] = [await issue('password_reset'), await issue('password_reset')];
    await reset(first);
    await expect(reset(second)).rejects.toMatchObject(LINK_ENDED);
    const third = await issue('password_reset');
    await ask(identityEndpoints.changePassword, { id, password: 'set by support' }, admin);
    await expect(reset(third)).rejects.toMatchObject(LINK_ENDED);
  });
});
