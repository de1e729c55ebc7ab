import { minutes } from '@shortlist/contracts/durations';
import { callApi, mailSubjects, payAtProvider, register } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

const readiness = async (url: string): Promise<number> =>
  (await fetch(`${url}/health/ready`).catch(() => null))?.status ?? 0;

const NAMES = ['identity', 'profile', 'billing', 'credits', 'worker', 'bff'] as const;

test('K3 a service that starts before its database, Kafka or Redis waits for them and then becomes ready', async ({
  system,
}) => {
  test.setTimeout(minutes(3));
  const { backing, operatorUrls: urls } = system;
  const parts = [backing.database, backing.kafka, backing.redisSessions, backing.redisQueue];
  await Promise.all(parts.map((part) => part.stop()));
  for (const name of NAMES) {
    await system.process(name).stop();
    system.process(name).start();
  }
  for (const name of NAMES) {
    await expect.poll(() => readiness(urls[name]), { timeout: 20_000 }).toBe(503);
    expect((await fetch(`${urls[name]}/health/live`)).status, name).toBe(200);
  }
  // The processes wait instead of exiting, so their process ids do not change.
  const pids = NAMES.map((name) => system.process(name).pid);

  await Promise.all(parts.map((part) => part.start()));
  for (const name of NAMES) await expect.poll(() => readiness(urls[name]), { timeout: 60_000 }).toBe(200);
  const logged = NAMES.flatMap((name) => system.process(name).logs().split('\n'));
  expect(logged.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
  expect(NAMES.map((name) => system.process(name).pid)).toEqual(pids);
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

test('mails requested while the worker is down are sent once each after its restart', async ({ system }) => {
  await system.process('worker').stop();
  const user = await register(system);
  const sessionId = await payAtProvider(system, user);
  await callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl: sessionId } });
  await system.process('worker').restart();
  await system.process('worker').restart(); // a second restart, possibly while a mail is being sent
  await expect
    .poll(() => mailSubjects(system, user.email), { timeout: 90_000 })
    .toEqual(['Welcome to Shortlist', 'Your Shortlist receipt']);
});
