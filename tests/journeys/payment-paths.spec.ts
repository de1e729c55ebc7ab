import { ask, logInAdmin, mailSubjects, payAtProvider, readUser, register, setWebhooks } from './client.ts';
import { expect, test } from './system.ts';

test.afterEach(async ({ system }) => {
  await setWebhooks(system, { drop: false, duplicate: 0, shuffle: false, delayMs: 0 });
});

test('with webhooks dropped, the success page makes the person Premium at once, and the webhooks later change nothing', async ({
  system,
}) => {
  await setWebhooks(system, { drop: true });
  const person = await register(system);
  const sessionId = await payAtProvider(system, person);
  const confirmed = await ask<{ data: { plan: string } }>(`${system.publicUrl}/user-payment`, 'PUT', {
    token: person.token,
    body: { user: {}, xsl: sessionId },
  });
  expect(confirmed.body.data.plan).toBe('premium');
  const before = await readUser(system, person);
  expect(before).toMatchObject({ plan: 'premium', composed: 0 });

  await setWebhooks(system, { drop: false });
  const { body } = await ask<{ data: { id: string }[] }>(
    `${system.sandboxUrl}/_sandbox/events?customer=${before.stripe_customer_id}`,
    'GET',
  );
  expect(body.data.length).toBeGreaterThan(3);
  for (const { id } of body.data) {
    await ask(`${system.sandboxUrl}/_sandbox/events/${id}/resend`, 'POST', {
      body: { times: 3, parallel: true },
    });
  }
  await expect
    .poll(
      async () =>
        (
          await ask<{ data: { plan: string } }>(`${system.publicUrl}/api/subscription`, 'GET', {
            token: person.token,
          })
        ).body.data.plan,
    )
    .toBe('premium');
  expect(await readUser(system, person)).toEqual(before);
});

test('a webhook without the success page makes the person Premium', async ({ system }) => {
  const person = await register(system);
  await payAtProvider(system, person);
  await expect.poll(async () => (await readUser(system, person)).plan).toBe('premium');
  const credits = await ask(`${system.publicUrl}/api/credits`, 'GET', { token: person.token });
  expect(credits.body).toMatchObject({ plan: 'premium', limit: 500, available: 500 });
});

test('a declined card leaves the person Free and lets them try again', async ({ system }) => {
  const person = await register(system);
  await expect(payAtProvider(system, person, '4000000000000002')).rejects.toThrow('402');
  expect((await readUser(system, person)).plan).toBe('free');
  const sessionId = await payAtProvider(system, person);
  const again = await ask(`${system.publicUrl}/user-payment`, 'PUT', {
    token: person.token,
    body: { xsl: sessionId },
  });
  expect(again.status).toBe(200);
});

test('mails are sent for the welcome and the receipt, once each', async ({ system }) => {
  const person = await register(system);
  const sessionId = await payAtProvider(system, person);
  await ask(`${system.publicUrl}/user-payment`, 'PUT', { token: person.token, body: { xsl: sessionId } });
  await expect
    .poll(() => mailSubjects(system, person.email), { timeout: 60_000 })
    .toEqual(['Welcome to Shortlist', 'Your Shortlist receipt']);
});

test('an earned payment is in the admin earnings, and the sums of the bars are the totals', async ({
  system,
}) => {
  const admin = await logInAdmin(system);
  type Earnings = {
    data: { earnings: number; expenses: number; buckets: { earnings: number; expenses: number }[] };
  };
  const read = async () =>
    (await ask<Earnings>(`${system.publicUrl}/api/admin/earnings?period=week`, 'GET', { token: admin })).body
      .data;
  const before = await read();
  const person = await register(system);
  const sessionId = await payAtProvider(system, person);
  await ask(`${system.publicUrl}/user-payment`, 'PUT', { token: person.token, body: { xsl: sessionId } });
  const after = await read();
  expect(after.earnings - before.earnings).toBe(5900);
  expect(after.buckets.reduce((sum, bucket) => sum + bucket.earnings, 0)).toBe(after.earnings);
  expect(after.buckets.reduce((sum, bucket) => sum + bucket.expenses, 0)).toBe(after.expenses);
});
