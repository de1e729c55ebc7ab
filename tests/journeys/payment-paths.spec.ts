import {
  callApi,
  logInAdmin,
  mailSubjects,
  payAtProvider,
  readUser,
  register,
  setWebhooks,
} from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

test.afterEach(async ({ system }) => {
  await setWebhooks(system, { drop: false, duplicate: 0, shuffle: false, delayMs: 0 });
});

test('without webhooks the success page makes the user Premium at once, and delayed webhooks change nothing', async ({
  system,
}) => {
  await setWebhooks(system, { drop: true });
  const user = await register(system);
  const sessionId = await payAtProvider(system, user);
  const confirmed = await callApi<{ data: { plan: string } }>(`${system.publicUrl}/user-payment`, 'PUT', {
    token: user.token,
    body: { user: {}, xsl: sessionId },
  });
  expect(confirmed.body.data.plan).toBe('premium');
  const before = await readUser(system, user);
  expect(before).toMatchObject({ plan: 'premium', composed: 0 });

  await setWebhooks(system, { drop: false });
  const { body } = await callApi<{ data: { id: string }[] }>(
    `${system.sandboxUrl}/_sandbox/events?customer=${before.stripe_customer_id}`,
    'GET',
  );
  expect(body.data.length).toBeGreaterThan(3);
  for (const { id } of body.data) {
    await callApi(`${system.sandboxUrl}/_sandbox/events/${id}/resend`, 'POST', {
      body: { times: 3, parallel: true },
    });
  }
  await expect
    .poll(
      async () =>
        (
          await callApi<{ data: { plan: string } }>(`${system.publicUrl}/api/subscription`, 'GET', {
            token: user.token,
          })
        ).body.data.plan,
    )
    .toBe('premium');
  expect(await readUser(system, user)).toEqual(before);
});

test('a webhook makes the user Premium without the success page', async ({ system }) => {
  const user = await register(system);
  await payAtProvider(system, user);
  await expect.poll(async () => (await readUser(system, user)).plan).toBe('premium');
  const credits = await callApi(`${system.publicUrl}/api/credits`, 'GET', { token: user.token });
  expect(credits.body).toMatchObject({ plan: 'premium', limit: 500, available: 500 });
});

test('after a declined card the user stays Free and can try again', async ({ system }) => {
  const user = await register(system);
  await expect(payAtProvider(system, user, '4000000000000002')).rejects.toThrow('402');
  expect((await readUser(system, user)).plan).toBe('free');
  const sessionId = await payAtProvider(system, user);
  const retried = await callApi(`${system.publicUrl}/user-payment`, 'PUT', {
    token: user.token,
    body: { xsl: sessionId },
  });
  expect(retried.status).toBe(200);
});

test('the welcome mail and the receipt are sent once each', async ({ system }) => {
  const user = await register(system);
  const sessionId = await payAtProvider(system, user);
  await callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl: sessionId } });
  await expect
    .poll(() => mailSubjects(system, user.email), { timeout: 60_000 })
    .toEqual(['Welcome to Shortlist', 'Your Shortlist receipt']);
});

test('the admin earnings include a new payment, and the bars add up to the totals', async ({ system }) => {
  const admin = await logInAdmin(system);
  type Earnings = {
    data: { earnings: number; expenses: number; buckets: { earnings: number; expenses: number }[] };
  };
  const read = async () =>
    (await callApi<Earnings>(`${system.publicUrl}/api/admin/earnings?period=week`, 'GET', { token: admin }))
      .body.data;
  const before = await read();
  const user = await register(system);
  const sessionId = await payAtProvider(system, user);
  await callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl: sessionId } });
  const after = await read();
  expect(after.earnings - before.earnings).toBe(5900);
  expect(after.buckets.reduce((sum, bucket) => sum + bucket.earnings, 0)).toBe(after.earnings);
  expect(after.buckets.reduce((sum, bucket) => sum + bucket.expenses, 0)).toBe(after.expenses);
});
