import { residentMegabytes } from '../resident-megabytes.ts';
import { ask, logInAdmin, payAtProvider, register, setWebhooks } from './client.ts';
import { expect, test } from './system.ts';

const NAMES = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'] as const;

test('no process holds more than 160 MB at rest', async ({ system }) => {
  await register(system);
  const tooLarge = (): string[] =>
    NAMES.map((name) => ({ name, megabytes: residentMegabytes(system.process(name).pid) }))
      .filter(({ megabytes }) => megabytes > 160)
      .map(({ name, megabytes }) => `${name}: ${megabytes.toFixed(0)} MB`);
  await expect.poll(tooLarge, { timeout: 30_000 }).toEqual([]);
});

test('K5 one click can be followed from bff to the worker by its trace id, and no log holds a secret', async ({
  system,
}) => {
  await setWebhooks(system, { drop: true }); // so that it is this very click that tells of the payment
  const person = await register(system, { password: 'never to be logged 42' });
  const sessionId = await payAtProvider(system, person);
  const paid = await ask(`${system.publicUrl}/user-payment`, 'PUT', {
    token: person.token,
    body: { xsl: sessionId },
  });
  expect(paid.status).toBe(200);
  await setWebhooks(system, { drop: false });
  const traceId = paid.headers.get('x-request-id') ?? 'none';
  for (const name of ['bff', 'billing', 'credits', 'worker'] as const) {
    await expect.poll(() => system.process(name).logs(), { timeout: 15_000 }).toContain(traceId);
  }
  // What goes wrong is told of at more length than what goes well.
  const admin = await logInAdmin(system);
  const cookie = 'browser=never-a-cookie-in-a-log';
  const { email } = person;
  await ask(`${system.publicUrl}/login`, 'POST', { body: { email, password: 'never logged either' } });
  await ask(`${system.publicUrl}/api/users/nobody`, 'GET', { token: admin, headers: { cookie } });
  await ask(`${system.publicUrl}/api/webhooks/stripe`, 'POST', {
    body: {},
    headers: { 'stripe-signature': 't=1,v1=never-a-signature' },
  });
  await ask(`${system.publicUrl}/api/logout`, 'POST', { token: person.token });
  const logs = NAMES.map((name) => system.process(name).logs()).join('\n');
  const secrets = [
    person.token,
    admin,
    cookie,
    'never to be logged 42',
    'never logged either',
    'never-a-signature',
    ...Object.values(system.secrets).filter((secret) => !secret.includes('@')),
  ];
  expect(secrets.filter((secret) => logs.includes(secret))).toEqual([]);
  // A password's hash, a token between our own services, a secret of the provider's.
  expect(logs.match(/\$argon2|eyJ[\w-]{10,}\.[\w-]{10,}|whsec_\w+|sk_(test|live)_\w+/g)).toBeNull();
});

test('K1 with the database away a service is alive and not ready; when it is back it is ready by itself', async ({
  system,
}) => {
  const status = async (path: string): Promise<number> =>
    (await fetch(`${system.urls.identity}${path}`)).status;
  await system.backing.database.stop();
  await expect.poll(() => status('/health/ready'), { timeout: 15_000 }).toBe(503);
  expect(await status('/health/live')).toBe(200);
  const login = await ask(`${system.publicUrl}/login`, 'POST', {
    body: { email: 'a@b.co', password: 'whatever' },
  });
  expect(login.status).toBe(503);
  await system.backing.database.start();
  await expect.poll(() => status('/health/ready'), { timeout: 30_000 }).toBe(200);
  await expect
    .poll(async () => (await register(system).catch(() => null))?.id ?? null, { timeout: 30_000 })
    .not.toBeNull();
});

test('K4 a process that is killed comes back and the next request is answered', async ({ system }) => {
  const person = await register(system);
  system.process('profile').kill('SIGKILL');
  await expect
    .poll(
      async () =>
        (await ask(`${system.publicUrl}/authentication_check`, 'GET', { token: person.token })).status,
      { timeout: 20_000 },
    )
    .toBe(200);
});
