import { expect, test } from 'vitest';
import { hearer, start, subscribe, until, webhookSecret, carried, firstOf } from './support.ts';

test('the real library accepts the signature, and a changed byte breaks it', async () => {
  const ears = await hearer();
  const { stripe } = await start({ config: { webhookUrl: ears.url } });
  const customer = await stripe.customers.create({ email: 'ä@example.com' }, { idempotencyKey: 'k-1' });
  await until(() => ears.heard.length === 1);
  const [{ body, signature } = { body: '', signature: '' }] = ears.heard;
  const event = stripe.webhooks.constructEvent(body, signature, webhookSecret);
  expect(event).toMatchObject({
    type: 'customer.created',
    api_version: '2026-10-28.endive',
    data: { object: { id: customer.id, email: 'ä@example.com' } },
    request: { id: customer.lastResponse.requestId, idempotency_key: 'k-1' },
  });
  expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
  expect(() => stripe.webhooks.constructEvent(`${body} `, signature, webhookSecret)).toThrow();
});

test('a subscription’s events all arrive and the log tells it', async () => {
  const ears = await hearer();
  const sandbox = await start({ config: { webhookUrl: ears.url } });
  const { customer } = await subscribe(sandbox);
  await until(() => ears.types().includes('invoice.payment_succeeded'));
  expect(ears.types()).toContain('checkout.session.completed');
  await until(async () => {
    const { body } = await sandbox.control('GET', `/events?customer=${customer.id}`);
    return body.data.every((event) => event.status === 'delivered');
  });
  const { body } = await sandbox.control('GET', `/events?type=invoice.paid&customer=${customer.id}`);
  expect(body.data).toHaveLength(1);
  expect(body.data[0]?.attempts).toEqual([{ at: expect.any(String) as string, url: ears.url, status: 200 }]);
});

test('an answer other than 2xx is tried again after a second', async () => {
  const ears = await hearer();
  ears.answer.status = 500;
  const { stripe, control } = await start({ config: { webhookUrl: ears.url } });
  await stripe.customers.create({});
  await until(() => ears.heard.length === 1);
  ears.answer.status = 200;
  await until(() => ears.heard.length === 2);
  const [first = 0, second = 0] = ears.heard.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(990);
  expect(new Set(ears.heard.map(({ body }) => body)).size).toBe(1);
  await until(async () => firstOf((await control('GET', '/events')).body).status === 'delivered');
  const { attempts } = firstOf((await control('GET', '/events')).body);
  expect(attempts.map(({ status }) => status)).toEqual([500, 200]);
});

test('a hearer that is not there is named in the log and never holds up a call', async () => {
  const { stripe, control } = await start();
  await stripe.customers.create({});
  await until(async () => (await control('GET', '/events')).body.data[0]?.attempts.length !== 0);
  const [event] = (await control('GET', '/events')).body.data;
  expect(event?.status).toBe('pending');
  expect(event?.attempts[0]?.error).toBeTruthy();
  expect(Date.parse(event?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() - 1000);
});

test('a dropped event comes only when it is sent again', async () => {
  const ears = await hearer();
  const { stripe, control } = await start({ config: { webhookUrl: ears.url } });
  await control('PUT', '/webhooks', { drop: true });
  await stripe.customers.create({});
  const [{ id, status } = { id: '', status: '' }] = (await control('GET', '/events')).body.data;
  expect(status).toBe('dropped');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(ears.heard).toHaveLength(0);
  const sent = await control('POST', `/events/${id}/resend`, { times: 20, parallel: 5 });
  expect(sent.body.attempts).toHaveLength(20);
  expect(ears.heard).toHaveLength(20);
  expect(new Set(ears.heard.map(({ body }) => carried(body).id))).toEqual(new Set([id]));
  expect((await control('POST', '/events/evt_nobody/resend', {})).status).toBe(404);
});

test('some are dropped, some come several times, all out of order', async () => {
  const ears = await hearer();
  const { stripe, control } = await start({ config: { webhookUrl: ears.url } });
  await control('PUT', '/webhooks', { drop: 0.5 });
  for (let n = 0; n < 40; n += 1) await stripe.products.create({ name: String(n) });
  const { data } = (await control('GET', '/events')).body;
  const dropped = data.filter((event) => event.status === 'dropped').length;
  expect(dropped).toBeGreaterThan(5);
  expect(dropped).toBeLessThan(35);
  await until(() => ears.heard.length === 40 - dropped);
  ears.heard.length = 0;
  await control('PUT', '/webhooks', { drop: false, duplicate: 2, shuffle: true });
  for (let n = 0; n < 10; n += 1) await stripe.products.create({ name: `again ${n}` });
  await until(() => ears.heard.length === 30);
  const names = ears.heard.map(({ body }) => carried(body).data.object.name);
  expect(names).not.toEqual(names.toSorted());
});

test('the address can be given after the start, and delivery can be delayed', async () => {
  const ears = await hearer();
  const { stripe, control } = await start();
  await control('PUT', '/webhooks', { url: ears.url, delayMs: 300 });
  const before = Date.now();
  await stripe.customers.create({});
  await until(() => ears.heard.length === 1);
  expect((ears.heard[0]?.at ?? 0) - before).toBeGreaterThanOrEqual(290);
});
