// FACTOR_KEY is replaced in the order of docs/replacing-secrets.md, with users who set everything up under the former key.
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { webhookEndpoints } from '@shortlist/contracts/api/webhooks';
import { days } from '@shortlist/contracts/durations';
import { databaseNow } from '@shortlist/kit/data/db';
import { asService } from '@shortlist/kit/http/http-client';
import { runInProcess } from '@shortlist/operator/testing/run-in-process';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { createFactorKeys } from '../src/factors/factor-keys.ts';
import { verifyRecoveryCode } from '../src/factors/recovery-codes.ts';
import { codeOf, stepAt, verifyTotp } from '../src/factors/totp.ts';
import { program } from '../src/operator.ts';
import { listWebhooks } from '../src/webhooks/queries.ts';
import { signingSecrets } from '../src/webhooks/webhook-secrets.ts';
import { secretIn } from './authenticator-app.ts';
import { ana, FACTOR_KEY as FORMER, openIdentity } from './open-identity.ts';

const NEXT = 'n'.repeat(32);
const clock = (): Date => new Date();
const withNext = { keys: createFactorKeys([NEXT]), clock, sharedClock: databaseNow };
const withBoth = { ...withNext, keys: createFactorKeys([NEXT, FORMER]) };

let opened: Awaited<ReturnType<typeof openIdentity>>;
let userId = '';
beforeAll(async () => {
  opened = await openIdentity();
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.db.query('DELETE FROM accounts');
  const anonymous = { caller: { role: 'anonymous', userId: null } } as const;
  const email = `${uuidv7()}@people.test`;
  userId = (await opened.identity.ask(signUpEndpoints.register, { ...ana, email }, anonymous)).data.id;
});

const self = () => ({ caller: { role: 'user', userId } as const });

/** An authenticator app with its recovery codes. The code that confirms it is of the step before, so that the present one works. */
const turnOn = async (): Promise<{ code: () => string; recoveryCodes: string[] }> => {
  const secret = secretIn(
    (await opened.identity.ask(factorEndpoints.startTotp, { userId }, self())).data.secret,
  );
  const codeIn = (steps: number): string => codeOf(secret, stepAt(clock()) + steps);
  const { data } = await opened.identity.ask(
    factorEndpoints.confirmTotp,
    { userId, code: codeIn(-1) },
    self(),
  );
  return { code: () => codeIn(0), recoveryCodes: data.recoveryCodes };
};

const fingerprint = async (): Promise<string> =>
  (await opened.identity.ask(factorEndpoints.listCredentials, { userId }, asService())).data.factors
    .fingerprint;

const reencrypt = async (keys: string) => {
  const { database } = opened.db.options as { database: string };
  const { href } = Object.assign(new URL(inject('databaseAdminUrl')), { pathname: `/${database}` });
  return runInProcess(program, ['factors', 'reencrypt'], {
    env: { DATABASE_URL: href, FACTOR_KEY: keys },
    clock,
  });
};
const done = (apps: number, webhooks: number, accounts: number) => ({
  code: 0,
  stderr: '',
  stdout:
    `${apps} authenticator apps and ${webhooks} webhooks encrypted again\n` +
    `${accounts} accounts have recovery codes that need an older key\n`,
});

it('an authenticator app of the former key works without that key once it is encrypted again', async () => {
  const { code } = await turnOn();
  const before = await fingerprint();
  const verify = (parts: typeof withNext) =>
    verifyTotp(opened.db.manager, { accountId: userId, code: code() }, parts);
  await expect(verify(withNext)).rejects.toThrow('FACTOR_KEY lacks the key');
  expect(await reencrypt(`${NEXT},${FORMER}`)).toEqual(done(1, 0, 1));
  await verify(withNext);
  // Trusted devices and log-ins under way depend on it.
  expect(await fingerprint()).toBe(before);
  expect(await reencrypt(NEXT)).toEqual(done(0, 0, 1));
});

it('a recovery code needs the key with which it was made, and the command counts the accounts that have some', async () => {
  const { recoveryCodes } = await turnOn();
  const [first = '', second = ''] = recoveryCodes.map((code) => code.replace('-', ''));
  const use = (code: string, parts: typeof withNext) =>
    verifyRecoveryCode(opened.db, { accountId: userId, code }, parts);
  await expect(use(first, withNext)).rejects.toMatchObject({ code: 'identity.recovery_code_wrong' });
  await use(first, withBoth);
  await opened.db.query('UPDATE recovery_codes SET key_id = NULL WHERE used_at IS NULL');
  expect((await reencrypt(`${NEXT},${FORMER}`)).stdout).toContain('1 accounts have recovery codes');
  await opened.db.query('UPDATE recovery_codes SET key_id = ?', [withNext.keys.id]);
  expect((await reencrypt(NEXT)).stdout).toContain('0 accounts have recovery codes');
  await use(second, withBoth);
});

it('the secrets of webhooks sign without the former key once they are encrypted again', async () => {
  const hook = { userId, url: 'https://hooks.example.com/', events: ['plan.changed' as const] };
  const { data, secret } = await opened.identity.ask(webhookEndpoints.createWebhook, hook, self());
  const ref = { userId, endpointId: data.id };
  const { secret: next } = await opened.identity.ask(webhookEndpoints.rotateWebhookSecret, ref, self());
  const sign = async (at = clock()) => {
    const [row] = await listWebhooks(opened.db.manager, userId);
    return row === undefined ? [] : signingSecrets(withNext.keys, row, at);
  };
  await expect(sign()).rejects.toThrow('FACTOR_KEY lacks the key');
  expect(await reencrypt(`${NEXT},${FORMER}`)).toEqual(done(0, 1, 0));
  expect(await sign()).toEqual([next, secret]);
  expect(await sign(new Date(Date.now() + days(2)))).toEqual([next]);
  expect(await reencrypt(NEXT)).toEqual(done(0, 0, 0));
});

it('nothing changes while the former key is missing', async () => {
  await turnOn();
  const rows = () => opened.db.query<object[]>('SELECT * FROM totp_secrets');
  const before = await rows();
  const { code, stderr } = await reencrypt(NEXT);
  expect([code, stderr]).toEqual([1, expect.stringContaining('FACTOR_KEY lacks the key')]);
  expect(await rows()).toEqual(before);
});
