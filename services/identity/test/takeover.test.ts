// What an intruder who knew the password, or who signed up with another person's email, may leave in an account.
import { randomBytes } from 'node:crypto';
import { emailChangeEndpoints } from '@shortlist/contracts/api/email';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints, type IssuedToken, type TokenPurpose } from '@shortlist/contracts/api/identity';
import { logInEndpoints, signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { minutes } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import {
  emailChangeRequested,
  type EmailChangeRequested,
  emailChangeStarted,
} from '@shortlist/contracts/events/identity';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { codeOf, stepAt } from '../src/factors/totp.ts';
import { secretIn } from './authenticator-app.ts';
import { createAuthenticator } from './authenticator.ts';
import { ana, openIdentity } from './open-identity.ts';

const origin = 'https://app.shortlist.test';
const call = { timeoutMs: 30_000 };
const anonymous = { caller: { role: 'anonymous', userId: null, address: '192.0.2.9' }, ...call } as const;
const service = asService(call);
const admin = { caller: { role: 'admin', userId: uuidv7() }, ...call } as const;
const LINK_ENDED = { code: 'identity.link_ended' };
const CREDENTIALS_WRONG = { code: 'identity.credentials_wrong' };
const CODE_WRONG = { code: 'identity.email_code_wrong' };

let opened: Awaited<ReturnType<typeof openIdentity>>;
let elapsedMs = 0;
/** How far the clock of the process that serves the next requests is from the shared one. */
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
  email = `${uuidv7()}@people.test`;
  // Registered by an admin, so that the address is confirmed.
  id = (await ask(signUpEndpoints.register, { ...ana, email }, admin)).data.id;
});

const issue = async (purpose: TokenPurpose, reference?: string): Promise<IssuedToken> => {
  const order = { purpose, userId: id, ...(reference === undefined ? {} : { reference }) };
  return (await ask(identityEndpoints.issueMailedToken, order, service)).data;
};
const eventsOf = async <Data>({ type }: { type: string }): Promise<CloudEvent<Data>[]> => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox ORDER BY id');
  return rows
    .map(({ payload }) => JSON.parse(payload) as CloudEvent<Data>)
    .filter((event) => event.type === type && event.subject === id);
};
const requestChange = async (): Promise<string> => {
  const input = { id, email: `${uuidv7()}@intruders.test`, currentPassword: ana.password };
  await ask(emailChangeEndpoints.requestEmailChange, input, self());
  return (await eventsOf<EmailChangeRequested>(emailChangeRequested)).at(-1)?.data.changeId ?? '';
};
const logIn = (password: string) =>
  ask(logInEndpoints.verifyCredentials, { email, password, role: 'user' }, anonymous);
const emailNow = async () => (await ask(identityEndpoints.email, { id }, service)).data;
const reset = async (token: string, password = 'another sesame') =>
  (await ask(identityEndpoints.resetPassword, { token, password }, anonymous)).data;
const confirm = async (token: string) =>
  (await ask(emailChangeEndpoints.confirmEmailChange, { token }, anonymous)).data;
const undo = async (token: string, password = 'mine again') =>
  (await ask(emailChangeEndpoints.undoEmailChange, { token, password }, anonymous)).data;

/** A passkey that can log in by itself. */
const addPasskey = async () => {
  const device = createAuthenticator();
  const owner = id;
  const ceremony = { challenge: randomBytes(32).toString('base64url'), origin };
  const passkey = { ...ceremony, response: device.register(ceremony) };
  await ask(factorEndpoints.addPasskey, { userId: id, passkey, name: 'Laptop' }, self());
  return async (): Promise<boolean> => {
    const proof = { challenge: randomBytes(32).toString('base64url'), origin };
    const response = device.assert({ ...proof, userHandle: owner });
    const input = { passkey: { ...proof, response }, role: 'user' } as const;
    return ask(logInEndpoints.logInWithPasskey, input, anonymous).then(
      () => true,
      () => false,
    );
  };
};
const startTwoStep = async (): Promise<Buffer> =>
  secretIn((await ask(factorEndpoints.startTotp, { userId: id }, self())).data.secret);
const confirmTwoStep = (secret: Buffer) => {
  const code = codeOf(secret, stepAt(new Date(Date.now() + elapsedMs)));
  return ask(factorEndpoints.confirmTotp, { userId: id, code }, self());
};
const turnTwoStepOn = async (): Promise<string[]> =>
  (await confirmTwoStep(await startTwoStep())).data.recoveryCodes;
const factors = async () => (await ask(factorEndpoints.getFactors, { userId: id }, self())).data;
const isRight = (recoveryCode: string): Promise<boolean> =>
  ask(logInEndpoints.prove, { userId: id, proof: { recoveryCode } }, service).then(
    () => true,
    () => false,
  );

const NEW_PASSWORDS = {
  'the owner resets': async () => void (await reset((await issue('password_reset')).token)),
  'the owner changes': async () => {
    const input = { id, password: 'another sesame', currentPassword: ana.password };
    await ask(identityEndpoints.changePassword, input, self());
  },
  'an admin sets': async () =>
    void (await ask(identityEndpoints.changePassword, { id, password: 'another sesame' }, admin)),
};

describe.each(Object.entries(NEW_PASSWORDS))('a password that %s', (_name, setPassword) => {
  it('A9 ends an open change of the email, its link and its code', async () => {
    const { token, code } = await issue('email_change', await requestChange());
    await setPassword();
    await expect(confirm(token)).rejects.toMatchObject(LINK_ENDED);
    await expect(
      ask(emailChangeEndpoints.confirmEmailChangeCode, { id, code: code ?? '' }, self()),
    ).rejects.toMatchObject(CODE_WRONG);
    expect(await emailNow()).toMatchObject({ email, isVerified: true, pendingEmail: null });
  });

  it('A9 issues no link for a formerly open change whose email is still to be sent', async () => {
    const changeId = await requestChange();
    await setPassword();
    await expect(issue('email_change', changeId)).rejects.toMatchObject({ code: 'identity.user_not_found' });
  });

  it('A9 ends an authenticator app that is not confirmed', async () => {
    const secret = await startTwoStep();
    await setPassword();
    await expect(confirmTwoStep(secret)).rejects.toMatchObject({ status: expect.any(Number) as number });
    expect((await factors()).totpSince).toBeNull();
  });

  it('A13 keeps a former address’s link for taking the account back', async () => {
    const changeId = await requestChange();
    await confirm((await issue('email_change', changeId)).token);
    const { token } = await issue('email_undo', changeId);
    await setPassword();
    expect(await undo(token)).toMatchObject({ email });
  });
});

it('A9 of concurrent changes of a password, one wins, and the others are refused', async () => {
  const changes = Array.from({ length: 8 }, (_, count) => {
    const input = { id, password: `sesame number ${count}`, currentPassword: ana.password };
    return ask(identityEndpoints.changePassword, input, self());
  });
  const outcomes = await Promise.allSettled(changes);
  const won = outcomes.flatMap(({ status }, count) => (status === 'fulfilled' ? [count] : []));
  expect(won).toHaveLength(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ code: 'identity.current_password_wrong' });
  const password = `sesame number ${won[0]}`;
  await ask(logInEndpoints.verifyCredentials, { email, password, role: 'user' }, anonymous);
});

it('A9 with a concurrent confirmation of another address, the account stays with its owner', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { token } = await issue('email_change', await requestChange());
    const [confirmed] = await Promise.allSettled([confirm(token), NEW_PASSWORDS['an admin sets']()]);
    const { pendingEmail, email: now } = await emailNow();
    expect(pendingEmail).toBeNull();
    expect(now === email).toBe(confirmed.status === 'rejected');
    // Confirmed in time: the former address takes the account back.
    if (confirmed.status === 'fulfilled') return;
    await ask(identityEndpoints.changePassword, { id, password: ana.password }, admin);
  }
});

describe('the link in the email to the current address', () => {
  it('A13 ends the open change and sets a new password, once', async () => {
    const changeId = await requestChange();
    expect(await eventsOf(emailChangeStarted)).toMatchObject([{ data: { changeId } }]);
    const { token, email: present } = await issue('email_undo', changeId);
    expect(present).toBe(email);
    const pending = await issue('email_change', changeId);
    const { data } = await ask(emailChangeEndpoints.checkEmailUndo, { token }, anonymous);
    expect(data).toMatchObject({ userId: id, email, isConfirmed: false, deletion: false });
    await undo(token);
    await expect(confirm(pending.token)).rejects.toMatchObject(LINK_ENDED);
    expect(await emailNow()).toMatchObject({ email, isVerified: true, pendingEmail: null });
    await logIn('mine again');
    await expect(logIn(ana.password)).rejects.toMatchObject(CREDENTIALS_WRONG);
    await expect(undo(token)).rejects.toMatchObject(LINK_ENDED);
    await expect(reset(token)).rejects.toMatchObject(LINK_ENDED);
  });

  it('A13 undoes the change if it has been confirmed in the meantime', async () => {
    const changeId = await requestChange();
    const { token } = await issue('email_undo', changeId);
    await confirm((await issue('email_change', changeId)).token);
    expect(await undo(token)).toMatchObject({ email });
  });

  it('A13 is sent to no address that was never confirmed', async () => {
    email = `${uuidv7()}@people.test`;
    id = (await ask(signUpEndpoints.register, { ...ana, email }, anonymous)).data.id;
    const changeId = await requestChange();
    expect(await eventsOf(emailChangeStarted)).toEqual([]);
    await expect(issue('email_undo', changeId)).rejects.toMatchObject({ code: 'identity.user_not_found' });
  });
});

describe.each(['open', 'confirmed'])('an undo of a change that is %s', (state) => {
  const beginChange = async (): Promise<string> => {
    const changeId = await requestChange();
    if (state === 'confirmed') await confirm((await issue('email_change', changeId)).token);
    return (await issue('email_undo', changeId)).token;
  };

  it('A13 removes the factors that the intruder has added since, and keeps those of the owner', async () => {
    const ofOwner = await addPasskey();
    elapsedMs += 1_000;
    const token = await beginChange();
    const ofIntruder = await addPasskey();
    const codes = await turnTwoStepOn();
    expect(await undo(token)).toMatchObject({
      removed: { twoStep: true, recoveryCodes: false, passkeys: 1 },
    });
    expect((await factors()).totpSince).toBeNull();
    expect(await isRight(codes[0] ?? '')).toBe(false);
    expect(await ofIntruder()).toBe(false);
    expect(await ofOwner()).toBe(true);
  });

  it('A13 removes recovery codes that the intruder has renewed', async () => {
    await turnTwoStepOn();
    elapsedMs += 1_000;
    const token = await beginChange();
    const { data } = await ask(factorEndpoints.renewRecoveryCodes, { userId: id }, self());
    expect((await undo(token)).removed).toEqual({
      twoStep: false,
      recoveryCodes: true,
      passkeys: 0,
      apiKeys: 0,
      webhooks: 0,
      connections: 0,
      deletion: false,
    });
    expect((await factors()).totpSince).not.toBeNull();
    expect(await isRight(data.recoveryCodes[0] ?? '')).toBe(false);
  });

  it('A13 distinguishes factors of the intruder from those of the owner by the shared clock', async () => {
    skewMs = minutes(10);
    const ofOwner = await addPasskey();
    skewMs = 0;
    elapsedMs += 1_000;
    const token = await beginChange();
    skewMs = minutes(-10);
    const ofIntruder = await addPasskey();
    await turnTwoStepOn();
    skewMs = 0;
    expect((await undo(token)).removed).toMatchObject({ twoStep: true, recoveryCodes: false, passkeys: 1 });
    expect([await ofOwner(), await ofIntruder()]).toEqual([true, false]);
  });

  it('A13 begins another generation, and ends a change that the intruder requested after it', async () => {
    const token = await beginChange();
    const later = await issue('email_change', await requestChange());
    const { generation } = await undo(token);
    expect(generation).toBeGreaterThan(0);
    await expect(confirm(later.token)).rejects.toMatchObject(LINK_ENDED);
  });
});

describe('an account that another person created with the owner’s email', () => {
  beforeEach(async () => {
    email = `${uuidv7()}@people.test`;
    id = (await ask(signUpEndpoints.register, { ...ana, email }, anonymous)).data.id;
  });
  const verifyByLink = async (options: typeof anonymous | ReturnType<typeof self> = anonymous) =>
    ask(signUpEndpoints.verifyEmail, { token: (await issue('email_verify')).token }, options);

  it('A12 keeps no passkey of theirs after the first password that the owner sets', async () => {
    const before = await addPasskey();
    await verifyByLink();
    const after = await addPasskey();
    await reset((await issue('password_reset')).token);
    expect([await before(), await after()]).toEqual([false, false]);
  });

  it('A12 keeps the factors of its user, who has confirmed the address in a session', async () => {
    const passkey = await addPasskey();
    await verifyByLink(self());
    await reset((await issue('password_reset')).token);
    expect(await passkey()).toBe(true);
  });

  it('A12 keeps the factors that its owner adds after the first password', async () => {
    await verifyByLink();
    await reset((await issue('password_reset')).token);
    const passkey = await addPasskey();
    await reset((await issue('password_reset')).token, 'a third sesame');
    expect(await passkey()).toBe(true);
  });

  it('A13 keeps none if they moved it to that address with its owner’s click', async () => {
    await verifyByLink(self());
    const passkey = await addPasskey();
    await confirm((await issue('email_change', await requestChange())).token);
    await reset((await issue('password_reset')).token);
    expect(await passkey()).toBe(false);
  });

  it('A13 keeps none if they moved it away and its owner takes it back', async () => {
    const passkey = await addPasskey();
    await verifyByLink();
    elapsedMs += 1_000;
    const changeId = await requestChange();
    const { code } = await issue('email_change', changeId);
    await ask(emailChangeEndpoints.confirmEmailChangeCode, { id, code: code ?? '' }, self());
    const { token } = await issue('email_undo', changeId);
    await undo(token);
    expect(await passkey()).toBe(false);
  });
});
