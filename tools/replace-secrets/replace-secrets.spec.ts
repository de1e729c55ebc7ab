// What docs/replacing-secrets.md says, with real processes: three rollouts replace every secret while recruiters use the product.
import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { minutes } from '@shortlist/contracts/durations';
import { connectRedis } from '@shortlist/kit/data/redis';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { randomFrom, seed } from '@shortlist/kit/testing/sample';
import { makeSecrets, type SecretName, type Secrets } from '@shortlist/local/host/secrets';
import type { System } from '@shortlist/local/system';
import { SERVICES } from '@shortlist/local/system/databases';
import { IMAGES } from '@shortlist/local/system/processes';
import { createConnection } from 'mysql2/promise';
import { createApiKey } from '../../harness/api-keys.ts';
import {
  callApi,
  chargeCredit,
  mailedLink,
  newUser,
  register,
  signUp,
  tokenIn,
  type UserSession,
} from '../../harness/client.ts';
import { createHistory } from '../../harness/history.ts';
import { type RollingSystem, startRollingSystem } from '../../harness/rolling-system.ts';
import { SETTLE_LIMIT_MS, waitUntilSettled } from '../../harness/settled.ts';
import { totpCode } from '../../harness/totp.ts';
import { simulateWhile } from '../faults/recruiter.ts';

const RECRUITERS = 3;
const REDIS_ACCOUNT = 'shortlist';

/** The secrets of which several are valid at a time. */
const LISTS = {
  IDENTITY_TOKEN_KEYS: 'IDENTITY_TOKEN_KEYS',
  PROFILE_TOKEN_KEYS: 'PROFILE_TOKEN_KEYS',
  BILLING_TOKEN_KEYS: 'BILLING_TOKEN_KEYS',
  CREDITS_TOKEN_KEYS: 'CREDITS_TOKEN_KEYS',
  WORKER_TOKEN_KEYS: 'WORKER_TOKEN_KEYS',
  XSRF_KEY: 'XSRF_KEY',
  FACTOR_KEY: 'FACTOR_KEY',
  TRIAL_KEY: 'TRIAL_KEY',
  STRIPE_WEBHOOK_SECRETS: 'STRIPE_WEBHOOK_SECRET',
} as const satisfies Record<string, SecretName>;

/** New values for everything but the accounts of operators. */
const nextOf = (former: Secrets): Secrets => {
  const { DB_ROOT_PASSWORD, ADMIN_EMAIL, ADMIN_PASSWORD, SENDGRID_WEBHOOK_PRIVATE_KEY } = former;
  const made = Object.entries(makeSecrets()).map(([name, value]) => [name, value.replace(/^1:/, '2:')]);
  const kept = { DB_ROOT_PASSWORD, ADMIN_EMAIL, ADMIN_PASSWORD, SENDGRID_WEBHOOK_PRIVATE_KEY };
  return { ...(Object.fromEntries(made) as Secrets), ...kept };
};

type Pair = { former: Secrets; next: Secrets; redis: { former: string; next: string } };

const listsAt = (order: (former: string, next: string) => string[], { former, next }: Pair) =>
  Object.fromEntries(
    Object.entries(LISTS).map(([name, secret]) => [name, order(former[secret], next[secret]).join(',')]),
  );

const withPassword = (url: string, password: string, username?: string): string => {
  const changed = Object.assign(new URL(url), { password });
  return Object.assign(changed, username === undefined ? {} : { username }).href;
};

type Environment = Readonly<Record<string, string>>;

/** The variables of a process that reads them. */
const readBy = (env: Environment, values: Environment): Environment =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in env));

const passwordOf = (secrets: Secrets, service: (typeof SERVICES)[number]): string =>
  secrets[`${service.toUpperCase() as Uppercase<typeof service>}_DB_PASSWORD`];

/** Lets the accounts of the databases log in with these passwords. */
const acceptAtDatabases = async (system: System, ...accepted: Secrets[]): Promise<void> => {
  const db = await createConnection({ uri: system.backing.databaseAdminUrl });
  for (const service of SERVICES) {
    const ways = accepted.map(() => 'mysql_native_password USING PASSWORD(?)').join(' OR ');
    const passwords = accepted.map((secrets) => passwordOf(secrets, service));
    await db.query(`ALTER USER '${service}'@'%' IDENTIFIED VIA ${ways}`, passwords);
  }
  await db.end();
};

/** Lets the account of both Redis servers log in with these passwords. */
const acceptAtRedis = async ({ backing }: System, ...rules: string[]): Promise<void> => {
  for (const url of [backing.sessionsRedisUrl, backing.queueRedisUrl]) {
    const redis = connectRedis(url, {});
    await redis.call('ACL', 'SETUSER', REDIS_ACCOUNT, ...rules);
    redis.disconnect();
  }
};

const acceptAtProviders = async (system: System, ...accepted: Secrets[]): Promise<void> => {
  const body = {
    stripe: accepted.map((secrets) => secrets.STRIPE_SECRET_KEY),
    mail: accepted.map((secrets) => secrets.SENDGRID_API_KEY),
    webhooks: accepted.map((secrets) => secrets.STRIPE_WEBHOOK_SECRET),
  };
  const { status } = await callApi(`${system.sandboxUrl}/_sandbox/keys`, 'PUT', { body });
  expect(status).toBe(200);
};

/** Replaces every process by one with these changes to its variables. */
const rollOut = async (
  { replace, environmentOf }: RollingSystem,
  label: string,
  changesTo: (env: Environment) => Environment,
): Promise<void> => {
  await Promise.all(IMAGES.map((name) => replace(name, { label, env: changesTo(environmentOf(name)) })));
};

/** Encrypts stored secrets with the first key again. Returns what the command printed. */
const reencrypt = async ({ system, environmentOf }: RollingSystem): Promise<string> => {
  await system.operate('identity', ['factors', 'reencrypt'], { env: environmentOf('identity') });
  return readFile(join(system.directory, 'logs/identity-operator.log'), 'utf8');
};

/** The steps of the page. Each rollout ends before the next step begins. */
const replaceSecrets = async (rolling: RollingSystem, pair: Pair): Promise<void> => {
  const { system } = rolling;
  const { former, next, redis } = pair;
  const { backing } = system;
  const addressesWith = (password: string) => ({
    SESSIONS_REDIS_URL: withPassword(backing.sessionsRedisUrl, password, REDIS_ACCOUNT),
    QUEUE_REDIS_URL: withPassword(backing.queueRedisUrl, password, REDIS_ACCOUNT),
  });

  await test.step('servers and processes accept the next secrets, too', async () => {
    await acceptAtDatabases(system, former, next);
    await acceptAtRedis(system, 'on', '~*', '&*', '+@all', `>${redis.former}`, `>${redis.next}`);
    await acceptAtProviders(system, former, next);
    const lists = listsAt((one, other) => [one, other], pair);
    await rollOut(rolling, 'both', (env) => readBy(env, { ...lists, ...addressesWith(redis.former) }));
  });

  await test.step('processes use the next secrets', async () => {
    const lists = listsAt((one, other) => [other, one], pair);
    const { STRIPE_SECRET_KEY, SENDGRID_API_KEY } = next;
    const values = { ...lists, ...addressesWith(redis.next), STRIPE_SECRET_KEY, SENDGRID_API_KEY };
    await rollOut(rolling, 'next', (env) => {
      const { DATABASE_URL: url } = env;
      if (url === undefined) return readBy(env, values);
      const service = SERVICES.find((name) => new URL(url).username === name) ?? 'identity';
      return { ...readBy(env, values), DATABASE_URL: withPassword(url, passwordOf(next, service)) };
    });
    expect(await reencrypt(rolling)).toContain('1 authenticator apps and 0 webhooks encrypted again');
  });

  await test.step('nothing accepts the former secrets', async () => {
    await acceptAtProviders(system, next);
    const lists = listsAt((_, other) => [other], pair);
    await rollOut(rolling, 'next-alone', (env) => readBy(env, lists));
    await acceptAtDatabases(system, next);
    await acceptAtRedis(system, `<${redis.former}`);
  });
};

/** A user with an authenticator app and a link that sets a new password, all from before. */
const prepareUser = async (system: System) => {
  const account = newUser();
  expect((await signUp(system, account)).status).toBe(201);
  const { body: login } = await callApi<{ data: { token: string } }>(`${system.publicUrl}/login`, 'POST', {
    body: { email: account.email, password: account.password },
  });
  const { token } = login.data;
  const factors = `${system.publicUrl}/api/factors/totp`;
  const { body } = await callApi<{ data: { secret: string } }>(factors, 'POST', { token });
  const { secret } = body.data;
  const confirmed = await callApi(`${factors}/confirm`, 'POST', { token, body: { code: totpCode(secret) } });
  expect(confirmed.status).toBe(200);
  await callApi(`${system.publicUrl}/api/password/forgot`, 'POST', { body: { email: account.email } });
  const link = await mailedLink(system, account.email, 'Set a new password');
  return { account, secret, link };
};

type Prepared = Awaited<ReturnType<typeof prepareUser>>;

/** Logs in with a code of the authenticator app, and sets a new password by the link. */
const useFactorAndLink = async (system: System, { account, secret, link }: Prepared): Promise<void> => {
  const { email, password } = account;
  const login = { body: { email, password } };
  const { body } = await callApi<{ data: { ticket: string } }>(`${system.publicUrl}/login`, 'POST', login);
  const second = { body: { ticket: body.data.ticket, code: totpCode(secret) } };
  expect(await callApi(`${system.publicUrl}/api/login/second-factor`, 'POST', second)).toMatchObject({
    status: 200,
  });
  const reset = { body: { token: tokenIn(link), password: 'another long enough one' } };
  expect(await callApi(`${system.publicUrl}/api/password/reset`, 'POST', reset)).toMatchObject({
    status: 200,
  });
};

/** The cookies of a page that was opened now, with their token. */
const openPage = async ({ publicUrl }: System): Promise<Record<string, string>> => {
  const response = await fetch(`${publicUrl}/api/config`);
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length);
  return { cookie: cookies.join('; '), 'x-xsrf-token': token ?? '', 'sec-fetch-site': 'same-origin' };
};

/** The status of a change that a page requests: 403 without a valid token, otherwise 401 for a wrong password. */
const changeFrom = async ({ publicUrl }: System, page: Record<string, string>): Promise<number> => {
  const body = { email: newUser().email, password: 'not the password' };
  return (await callApi(`${publicUrl}/login`, 'POST', { body, headers: page })).status;
};

const callIdentity = async (system: System, { id }: UserSession, secrets: Secrets): Promise<number> => {
  const [keyId = '', secret = ''] = secrets.IDENTITY_TOKEN_KEYS.split(':');
  const sign = createTokenSigner({ keys: { identity: [{ id: keyId, secret }] }, clock: () => new Date() });
  const token = await sign('identity', { role: 'service', userId: null });
  return (await callApi(`${system.urls.identity}/accounts/${id}/email`, 'GET', { token })).status;
};

/** The status of a delivered event with a signature of this secret. */
const deliver = async ({ publicUrl }: System, secret: string): Promise<number> => {
  const at = Math.floor(Date.now() / 1_000);
  const event = { id: `evt_${randomBytes(8).toString('hex')}`, object: 'event', type: 'customer.created' };
  const body = {
    ...event,
    created: at,
    livemode: false,
    data: { object: { id: 'cus_1', object: 'customer' } },
  };
  const signature = createHmac('sha256', secret)
    .update(`${at}.${JSON.stringify(body)}`)
    .digest('hex');
  const headers = { 'stripe-signature': `t=${at},v1=${signature}` };
  return (await callApi(`${publicUrl}/api/webhooks/stripe`, 'POST', { body, headers })).status;
};

const logInToDatabase = async ({ backing }: System, secrets: Secrets): Promise<string> => {
  const { hostname, port } = new URL(backing.databaseAdminUrl);
  const account = { user: 'billing', password: secrets.BILLING_DB_PASSWORD };
  try {
    await (await createConnection({ host: hostname, port: Number(port), ...account })).end();
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const logInToRedis = async ({ backing }: System, password: string): Promise<string> => {
  const redis = connectRedis(backing.sessionsRedisUrl, {});
  const reply = await redis.call('AUTH', REDIS_ACCOUNT, password).catch(String);
  redis.disconnect();
  return String(reply);
};

/** What each side says to the former secret and to the next one. */
const answers = async (system: System, user: UserSession, { former, next, redis }: Pair) => ({
  'a call of identity': [await callIdentity(system, user, former), await callIdentity(system, user, next)],
  'a webhook of Stripe': [
    await deliver(system, former.STRIPE_WEBHOOK_SECRET),
    await deliver(system, next.STRIPE_WEBHOOK_SECRET),
  ],
  'the database': [await logInToDatabase(system, former), await logInToDatabase(system, next)],
  Redis: [
    (await logInToRedis(system, redis.former)).includes('WRONGPASS'),
    (await logInToRedis(system, redis.next)) === 'OK',
  ],
});

/** How long a process still serves after its successor has taken over. */
const DRAIN_SECONDS = 1;

let started: RollingSystem | undefined;
test.afterAll(() => started?.system.stop());

test(`every secret is replaced under load without a failed request, seed ${seed}`, async () => {
  test.setTimeout(minutes(5));
  const rolling = await startRollingSystem({ drainSeconds: DRAIN_SECONDS });
  started = rolling;
  const { system } = rolling;
  const former = system.secrets;
  const password = (): string => randomBytes(16).toString('hex');
  const pair: Pair = { former, next: nextOf(former), redis: { former: password(), next: password() } };
  const [user, prepared, page] = [await register(system), await prepareUser(system), await openPage(system)];
  const { key } = await createApiKey(system, user);
  expect(await changeFrom(system, page)).toBe(401);
  expect(await answers(system, user, pair)).toMatchObject({
    'a call of identity': [200, 401],
    'a webhook of Stripe': [200, 400],
    'the database': ['accepted', 'ER_ACCESS_DENIED_ERROR'],
  });

  const [history, failures, random] = [createHistory(), [] as string[], randomFrom(seed)];
  await simulateWhile({ system, history, random, failures }, RECRUITERS, async () => {
    await replaceSecrets(rolling, pair);
    await sleep(2_000);
  });
  // What is refused is refused at once; a machine that is short of processors times out.
  expect(failures.filter((failure) => !failure.includes('"service.timeout"'))).toEqual([]);

  // The session, the key of the app, the link and the authenticator app are from before.
  expect((await chargeCredit(system, user, { operationId: 'afterwards' })).status).toBe(200);
  const byApp = await callApi(`${system.publicUrl}/api/v1/me`, 'GET', { token: key });
  expect(byApp.status).toBe(200);
  await useFactorAndLink(system, prepared);
  expect(await answers(system, user, pair)).toEqual({
    'a call of identity': [401, 200],
    'a webhook of Stripe': [400, 200],
    'the database': ['ER_ACCESS_DENIED_ERROR', 'accepted'],
    Redis: [true, true],
  });
  expect([await changeFrom(system, page), await changeFrom(system, await openPage(system))]).toEqual([
    403, 401,
  ]);

  const { breaches } = await waitUntilSettled({ ...system, secrets: pair.next }, history, SETTLE_LIMIT_MS);
  expect(breaches).toEqual([]);
});
