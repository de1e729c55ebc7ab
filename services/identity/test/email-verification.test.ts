import { hash } from 'node:crypto';
import { identityEndpoints, type IssuedToken } from '@shortlist/contracts/api/identity';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { days, hours, minutes } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import {
  emailVerificationRequested,
  emailVerified,
  factorRemoved,
} from '@shortlist/contracts/events/identity';
import { MAILED_CODE_MINUTES, MAILED_CODE_TRIES, VERIFICATION_HOURS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { codeOf, stepAt } from '../src/factors/totp.ts';
import { secretIn } from './authenticator-app.ts';
import { ana, openIdentity } from './open-identity.ts';

const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
const service = asService();
const admin = { caller: { role: 'admin', userId: uuidv7() } } as const;
const LINK_ENDED = { code: 'identity.link_ended' };
const CODE_WRONG = { code: 'identity.email_code_wrong', status: 400 };

let opened: Awaited<ReturnType<typeof openIdentity>>;
let elapsedMs = 0;
let id = '';
beforeAll(async () => {
  opened = await openIdentity({ clock: () => new Date(Date.now() + elapsedMs) });
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.db.query('DELETE FROM accounts');
  id = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
});
afterEach(() => void (elapsedMs = 0));

const issue = async (): Promise<IssuedToken> =>
  (
    await opened.identity.ask(
      identityEndpoints.issueMailedToken,
      { purpose: 'email_verify', userId: id },
      service,
    )
  ).data;
const isVerified = async (userId = id): Promise<boolean> =>
  (await opened.identity.ask(identityEndpoints.email, { id: userId }, service)).data.isVerified;
const follow = (token: string) => opened.identity.ask(signUpEndpoints.verifyEmail, { token }, anonymous);
const enter = (code: string) =>
  opened.identity.ask(
    signUpEndpoints.verifyEmailCode,
    { id, code },
    { caller: { role: 'user', userId: id } },
  );
const countEvents = async ({ type }: { type: string }): Promise<number> => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox');
  const events = rows.map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>);
  return events.filter((event) => event.type === type && event.subject === id).length;
};
const other = (code: string | null): string => (code === '000000' ? '000001' : '000000');

it('A12 a sign-up is unconfirmed until its user follows the link, which works once', async () => {
  expect(await isVerified()).toBe(false);
  const { token, email } = await issue();
  expect(email).toBe(ana.email);
  expect((await follow(token)).data).toEqual({ userId: id, email: ana.email });
  expect(await isVerified()).toBe(true);
  expect(await countEvents(emailVerified)).toBe(1);
  await expect(follow(token)).rejects.toMatchObject(LINK_ENDED);
});

it('A12 an account created by an admin is confirmed, and gets no token', async () => {
  const account = { ...ana, email: 'bo@talent.test' };
  const { data } = await opened.identity.ask(signUpEndpoints.register, account, {
    ...admin,
    timeoutMs: 30_000,
  });
  expect(await isVerified(data.id)).toBe(true);
  await expect(
    opened.identity.ask(
      identityEndpoints.issueMailedToken,
      { purpose: 'email_verify', userId: data.id },
      service,
    ),
  ).rejects.toMatchObject({ code: 'identity.user_not_found' });
});

it('A12 the emailed code confirms as well, and ends the link', async () => {
  const { token, code } = await issue();
  expect(code).toMatch(/^\d{6}$/);
  await enter(`${code?.slice(0, 3)} ${code?.slice(3)}`);
  expect(await isVerified()).toBe(true);
  await expect(follow(token)).rejects.toMatchObject(LINK_ENDED);
});

it('A12 after ten wrong codes in a day, the right code of any email is refused, but the link is not', async () => {
  const first = await issue();
  for (let tries = 0; tries < MAILED_CODE_TRIES; tries += 1)
    await expect(enter(other(first.code))).rejects.toMatchObject(CODE_WRONG);
  const { token, code } = await issue();
  await expect(enter(code ?? '')).rejects.toMatchObject(CODE_WRONG);
  expect(await isVerified()).toBe(false);
  elapsedMs = days(1) + 1_000;
  const nextDay = await issue();
  await expect(enter(other(nextDay.code))).rejects.toMatchObject(CODE_WRONG);
  await enter(nextDay.code ?? '');
  expect(await isVerified()).toBe(true);
  elapsedMs = 0;
  await expect(follow(token)).rejects.toMatchObject(LINK_ENDED);
});

it('A12 the link works after ten wrong codes', async () => {
  const { token, code } = await issue();
  for (let tries = 0; tries <= MAILED_CODE_TRIES; tries += 1)
    await expect(enter(other(code))).rejects.toMatchObject(CODE_WRONG);
  await follow(token);
  expect(await isVerified()).toBe(true);
});

it('A12 the code works for a quarter of an hour, and is stored as a keyed hash', async () => {
  const { token, code } = await issue();
  const rows = await opened.db.query<{ code_hash: string }[]>('SELECT code_hash FROM mailed_tokens');
  const unkeyed = [`${id}|${code}`, `${id} ${code}`, `${id} email_verify ${code}`, code ?? ''].map((text) =>
    hash('sha256', text, 'base64url'),
  );
  for (const { code_hash: stored } of rows) expect(unkeyed).not.toContain(stored);
  elapsedMs = minutes(MAILED_CODE_MINUTES) + 1_000;
  await expect(enter(code ?? '')).rejects.toMatchObject(CODE_WRONG);
  await follow(token);
});

it('A12 forty concurrent wrong codes leave no try', async () => {
  const { code } = await issue();
  await Promise.allSettled(Array.from({ length: 40 }, () => enter(other(code))));
  await expect(enter(code ?? '')).rejects.toMatchObject(CODE_WRONG);
});

it('A12 the link works for 24 hours', async () => {
  const { token } = await issue();
  elapsedMs = hours(VERIFICATION_HOURS) + 1_000;
  await expect(follow(token)).rejects.toMatchObject(LINK_ENDED);
});

it('A12 another email is sent on request, but none once the address is confirmed', async () => {
  const request = () =>
    opened.identity.ask(
      signUpEndpoints.requestVerification,
      { id },
      { caller: { role: 'user', userId: id } },
    );
  await request();
  expect(await countEvents(emailVerificationRequested)).toBe(1);
  await follow((await issue()).token);
  await request();
  expect(await countEvents(emailVerificationRequested)).toBe(1);
});

it('A12 a code that is entered after following the link is not an error', async () => {
  const { token, code } = await issue();
  await follow(token);
  expect((await enter(code ?? '')).data).toEqual({ userId: id, email: ana.email });
  expect(await countEvents(emailVerified)).toBe(1);
});

const resetByMail = async (): Promise<void> => {
  const order = { purpose: 'password_reset', userId: id } as const;
  const { data } = await opened.identity.ask(identityEndpoints.issueMailedToken, order, service);
  const reset = { token: data.token, password: 'another sesame' };
  await opened.identity.ask(identityEndpoints.resetPassword, reset, anonymous);
};
/** Turns two-step verification on, and returns whether it is on after `change`. */
const hasFactorAfter = async (change: () => Promise<void>): Promise<boolean> => {
  const self = { caller: { role: 'user', userId: id } } as const;
  const { data } = await opened.identity.ask(factorEndpoints.startTotp, { userId: id }, self);
  const code = codeOf(secretIn(data.secret), stepAt(new Date(Date.now() + elapsedMs)));
  await opened.identity.ask(factorEndpoints.confirmTotp, { userId: id, code }, self);
  await change();
  const factors = await opened.identity.ask(factorEndpoints.getFactors, { userId: id }, self);
  return factors.data.totpSince !== null;
};

it('A12 a reset by email also confirms the address', async () => {
  await resetByMail();
  expect(await isVerified()).toBe(true);
  expect(await countEvents(emailVerified)).toBe(1);
});

it('A12 factors of a person who never confirmed the address end with a reset by email', async () => {
  expect(await hasFactorAfter(resetByMail)).toBe(false);
  expect(await countEvents(factorRemoved)).toBe(1);
});

it('A12 factors of an account that its user has confirmed survive a reset by email', async () => {
  await enter((await issue()).code ?? '');
  expect(await hasFactorAfter(resetByMail)).toBe(true);
});
