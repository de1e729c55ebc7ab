import { describe, expect, it } from 'vitest';
import { DAY } from '../src/model/billing-cycle.rules.ts';
import { nextAttemptAt } from '../src/webhooks/deliveries.ts';
import {
  startReceiver,
  startSandbox,
  subscribe,
  waitUntil,
  WEBHOOK_SECRET,
  parseEvent,
  firstItem,
} from './support.ts';

describe('webhooks', () => {
  it('the Stripe library accepts the signature and rejects a changed body', async () => {
    const receiver = await startReceiver();
    const { stripe } = await startSandbox({ config: { webhookUrl: receiver.url } });
    const customer = await stripe.customers.create({ email: 'ä@example.com' }, { idempotencyKey: 'k-1' });
    await waitUntil(() => receiver.received.length === 1);
    const [{ body, signature } = { body: '', signature: '' }] = receiver.received;
    const event = stripe.webhooks.constructEvent(body, signature, WEBHOOK_SECRET);
    expect(event).toMatchObject({
      type: 'customer.created',
      api_version: '2026-10-28.endive',
      data: { object: { id: customer.id, email: 'ä@example.com' } },
      request: { id: customer.lastResponse.requestId, idempotency_key: 'k-1' },
    });
    expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
    expect(() => stripe.webhooks.constructEvent(`${body} `, signature, WEBHOOK_SECRET)).toThrow();
  });

  it('all events of a subscription arrive, and the event log shows their deliveries', async () => {
    const receiver = await startReceiver();
    const sandbox = await startSandbox({ config: { webhookUrl: receiver.url } });
    const { customer } = await subscribe(sandbox);
    await waitUntil(() => receiver.types().includes('invoice.payment_succeeded'));
    expect(receiver.types()).toContain('checkout.session.completed');
    await waitUntil(async () => {
      const { body } = await sandbox.control('GET', `/events?customer=${customer.id}`);
      return body.data.every((event) => event.status === 'delivered');
    });
    const { body } = await sandbox.control('GET', `/events?type=invoice.paid&customer=${customer.id}`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]?.attempts).toEqual([
      { at: expect.any(String) as string, url: receiver.url, status: 200 },
    ]);
  });

  it('a response other than 2xx is retried after one second', async () => {
    const receiver = await startReceiver();
    receiver.nextResponse.status = 500;
    const { stripe, control } = await startSandbox({ config: { webhookUrl: receiver.url } });
    await stripe.customers.create({});
    await waitUntil(() => receiver.received.length === 1);
    receiver.nextResponse.status = 200;
    await waitUntil(() => receiver.received.length === 2);
    const [first = 0, second = 0] = receiver.received.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(990);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    await waitUntil(async () => firstItem((await control('GET', '/events')).body).status === 'delivered');
    const { attempts } = firstItem((await control('GET', '/events')).body);
    expect(attempts.map(({ status }) => status)).toEqual([500, 200]);
  });

  it('an unreachable receiver appears in the event log and does not block requests', async () => {
    const { stripe, control } = await startSandbox();
    await stripe.customers.create({});
    await waitUntil(async () => (await control('GET', '/events')).body.data[0]?.attempts.length !== 0);
    const [event] = (await control('GET', '/events')).body.data;
    expect(event?.status).toBe('pending');
    expect(event?.attempts[0]?.error).toBeTruthy();
    expect(Date.parse(event?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() - 1000);
  });

  it('a dropped event is delivered only on resend', async () => {
    const receiver = await startReceiver();
    const { stripe, control } = await startSandbox({ config: { webhookUrl: receiver.url } });
    await control('PUT', '/webhooks', { drop: true });
    await stripe.customers.create({});
    const [{ id, status } = { id: '', status: '' }] = (await control('GET', '/events')).body.data;
    expect(status).toBe('dropped');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.received).toHaveLength(0);
    const sent = await control('POST', `/events/${id}/resend`, { times: 20, parallel: 5 });
    expect(sent.body.attempts).toHaveLength(20);
    expect(receiver.received).toHaveLength(20);
    expect(new Set(receiver.received.map(({ body }) => parseEvent(body).id))).toEqual(new Set([id]));
    expect((await control('POST', '/events/evt_unknown/resend', {})).status).toBe(404);
  });

  it('events can be dropped at random, duplicated and reordered', async () => {
    const receiver = await startReceiver();
    const { stripe, control } = await startSandbox({ config: { webhookUrl: receiver.url } });
    await control('PUT', '/webhooks', { drop: 0.5 });
    for (let n = 0; n < 40; n += 1) await stripe.products.create({ name: String(n) });
    const { data } = (await control('GET', '/events')).body;
    const dropped = data.filter((event) => event.status === 'dropped').length;
    expect(dropped).toBeGreaterThan(5);
    expect(dropped).toBeLessThan(35);
    await waitUntil(() => receiver.received.length === 40 - dropped);
    receiver.received.length = 0;
    await control('PUT', '/webhooks', { drop: false, duplicate: 2, shuffle: true });
    for (let n = 0; n < 10; n += 1) await stripe.products.create({ name: `again ${n}` });
    await waitUntil(() => receiver.received.length === 30);
    const names = receiver.received.map(({ body }) => parseEvent(body).data.object.name);
    expect(names).not.toEqual(names.toSorted());
  });

  it('the webhook URL and a delay can be set at runtime', async () => {
    const receiver = await startReceiver();
    const { stripe, control } = await startSandbox();
    await control('PUT', '/webhooks', { url: receiver.url, delayMs: 300 });
    const before = Date.now();
    await stripe.customers.create({});
    await waitUntil(() => receiver.received.length === 1);
    expect((receiver.received[0]?.at ?? 0) - before).toBeGreaterThanOrEqual(290);
  });
});

describe('webhook retry delays', () => {
  it('grow with each attempt', () => {
    const waits = [1, 2, 3, 4, 8, 9].map((attempts) => nextAttemptAt({ firstAt: 0, attempts, now: 0 }));
    expect(waits).toEqual([1000, 5000, 30_000, 120_000, 43_200_000, 43_200_000]);
  });

  it('end three days after the first attempt', () => {
    expect(nextAttemptAt({ firstAt: 0, attempts: 9, now: 3 * DAY * 1000 - 1 })).toBeNull();
  });
});
