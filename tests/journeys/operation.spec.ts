import { residentMegabytes } from '../../harness/resident-megabytes.ts';
import { callApi, logInAdmin, payAtProvider, register, setWebhooks } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

const NAMES = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'] as const;

test('no process at rest uses more than 160 MB of memory', async ({ system }) => {
  // What a burst of requests takes stays for a while: after one, a heap limit bounds a process, and not this figure.
  for (const name of NAMES) await system.process(name).restart();
  await expect
    .poll(async () => (await register(system).catch(() => null))?.id ?? null, { timeout: 30_000 })
    .not.toBeNull();
  const tooLarge = (): string[] =>
    NAMES.map((name) => ({ name, megabytes: residentMegabytes(system.process(name).pid) }))
      .filter(({ megabytes }) => megabytes > 160)
      .map(({ name, megabytes }) => `${name}: ${megabytes.toFixed(0)} MB`);
  await expect.poll(tooLarge, { timeout: 30_000 }).toEqual([]);
});

test('K5 the trace id of a click appears in the logs from bff to the worker, and no log contains a secret', async ({
  system,
}) => {
  await setWebhooks(system, { drop: true }); // so that this request alone confirms the payment
  const user = await register(system, { password: 'never to be logged 42' });
  const sessionId = await payAtProvider(system, user);
  const paid = await callApi(`${system.publicUrl}/user-payment`, 'PUT', {
    token: user.token,
    body: { xsl: sessionId },
  });
  expect(paid.status).toBe(200);
  await setWebhooks(system, { drop: false });
  const traceId = paid.headers.get('x-request-id') ?? 'none';
  for (const name of ['bff', 'billing', 'credits', 'worker'] as const) {
    await expect.poll(() => system.process(name).logs(), { timeout: 15_000 }).toContain(traceId);
  }
  // Failures log more details than successes.
  const admin = await logInAdmin(system);
  const cookie = 'browser=never-a-cookie-in-a-log';
  const { email } = user;
  await callApi(`${system.publicUrl}/login`, 'POST', { body: { email, password: 'never logged either' } });
  await callApi(`${system.publicUrl}/api/users/unknown`, 'GET', { token: admin, headers: { cookie } });
  await callApi(`${system.publicUrl}/api/webhooks/stripe`, 'POST', {
    body: {},
    headers: { 'stripe-signature': 't=1,v1=never-a-signature' },
  });
  await callApi(`${system.publicUrl}/api/logout`, 'POST', { token: user.token });
  const logs = NAMES.map((name) => system.process(name).logs()).join('\n');
  const secrets = [
    user.token,
    admin,
    cookie,
    'never to be logged 42',
    'never logged either',
    'never-a-signature',
    ...Object.values(system.secrets).filter((secret) => !secret.includes('@')),
  ];
  expect(secrets.filter((secret) => logs.includes(secret))).toEqual([]);
  // A password hash, a service token, a secret of the provider.
  expect(logs.match(/\$argon2|eyJ[\w-]{10,}\.[\w-]{10,}|whsec_\w+|sk_(test|live)_\w+/g)).toBeNull();
});

test('K1 without its database a service is live and not ready; when the database is back it is ready again', async ({
  system,
}) => {
  const status = async (path: string): Promise<number> =>
    (await fetch(`${system.operatorUrls.identity}${path}`)).status;
  await system.backing.database.stop();
  await expect.poll(() => status('/health/ready'), { timeout: 15_000 }).toBe(503);
  expect(await status('/health/live')).toBe(200);
  const login = await callApi(`${system.publicUrl}/login`, 'POST', {
    body: { email: 'a@b.co', password: 'whatever' },
  });
  expect(login.status).toBe(503);
  await system.backing.database.start();
  await expect.poll(() => status('/health/ready'), { timeout: 30_000 }).toBe(200);
  await expect
    .poll(async () => (await register(system).catch(() => null))?.id ?? null, { timeout: 30_000 })
    .not.toBeNull();
});

test('K4 a killed process is restarted and serves requests again', async ({ system }) => {
  const user = await register(system);
  system.process('profile').kill('SIGKILL');
  await expect
    .poll(
      async () =>
        (await callApi(`${system.publicUrl}/authentication_check`, 'GET', { token: user.token })).status,
      { timeout: 20_000 },
    )
    .toBe(200);
});
