import { ask, mailSubjects, payAtProvider, register } from './client.ts';
import { expect, test } from './system.ts';

const ready = async (url: string): Promise<number> =>
  (await fetch(`${url}/health/ready`).catch(() => null))?.status ?? 0;

test('K3 a service that starts before its database, its broker or Redis waits for them and goes on by itself', async ({
  system,
}) => {
  test.setTimeout(180_000);
  const { backing, urls } = system;
  await Promise.all([backing.database.stop(), backing.kafka.stop(), backing.redisSessions.stop()]);
  for (const name of ['credits', 'bff'] as const) {
    await system.process(name).stop();
    system.process(name).start();
  }
  await expect.poll(() => ready(urls.credits), { timeout: 20_000 }).toBe(503);
  await expect.poll(() => ready(urls.bff), { timeout: 20_000 }).toBe(503);
  expect((await fetch(`${urls.credits}/health/live`)).status).toBe(200);

  await Promise.all([backing.database.start(), backing.kafka.start(), backing.redisSessions.start()]);
  await expect.poll(() => ready(urls.credits), { timeout: 60_000 }).toBe(200);
  await expect.poll(() => ready(urls.bff), { timeout: 60_000 }).toBe(200);
  await expect
    .poll(
      () =>
        register(system).then(
          ({ id }) => id,
          () => null,
        ),
      { timeout: 60_000 },
    )
    .not.toBeNull();
});

test('mails asked for while the worker is down are sent when it is back, once each', async ({ system }) => {
  await system.process('worker').stop();
  const person = await register(system);
  const sessionId = await payAtProvider(system, person);
  await ask(`${system.publicUrl}/user-payment`, 'PUT', { token: person.token, body: { xsl: sessionId } });
  await system.process('worker').restart();
  await system.process('worker').restart(); // and again, perhaps in the middle of sending
  await expect
    .poll(() => mailSubjects(system, person.email), { timeout: 90_000 })
    .toEqual(['Welcome to Shortlist', 'Your Shortlist receipt']);
});
