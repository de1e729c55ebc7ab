import { describe, expect, it } from 'vitest';
import { firstItem, parseEvent, startReceiver, startSandbox, waitUntil } from './support.ts';

describe('webhook endpoints', () => {
  it('a created endpoint receives the events it names, signed with its own secret', async () => {
    const receiver = await startReceiver();
    const { stripe } = await startSandbox({ config: { webhookUrl: null } });
    const endpoint = await stripe.webhookEndpoints.create({
      url: receiver.url,
      enabled_events: ['customer.updated'],
      api_version: '2026-10-28.endive',
    });
    const { id } = await stripe.customers.create({ name: 'Ada' });
    await stripe.customers.update(id, { name: 'Ada Lovelace' });
    await waitUntil(() => receiver.received.length === 1);
    expect(receiver.types()).toEqual(['customer.updated']);
    const [{ body, signature } = { body: '', signature: '' }] = receiver.received;
    const event = stripe.webhooks.constructEvent(body, signature, endpoint.secret ?? '');
    expect(event.id).toBe(parseEvent(body).id);
  });

  it('a disabled endpoint receives nothing, and a changed one the events it names now', async () => {
    const receiver = await startReceiver();
    const { stripe } = await startSandbox({ config: { webhookUrl: null } });
    const { id } = await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] });
    await stripe.webhookEndpoints.update(id, { disabled: true });
    await stripe.customers.create({});
    await stripe.webhookEndpoints.update(id, { disabled: false, enabled_events: ['product.created'] });
    await stripe.customers.create({});
    await stripe.products.create({ name: 'Premium' });
    await waitUntil(() => receiver.received.length > 0);
    expect(receiver.types()).toEqual(['product.created']);
  });

  it('are listed without their secrets, the configured one among them', async () => {
    const { stripe } = await startSandbox();
    const { id, secret } = await stripe.webhookEndpoints.create({
      url: 'https://example.com/api/webhooks/stripe',
      enabled_events: ['invoice.paid'],
    });
    expect(secret).toMatch(/^whsec_/);
    const { data } = await stripe.webhookEndpoints.list();
    expect(data.map((endpoint) => [endpoint.id, endpoint.status, endpoint.secret])).toEqual([
      [id, 'enabled', undefined],
      ['we_sandbox', 'enabled', undefined],
    ]);
    await stripe.webhookEndpoints.del(id);
    expect(firstItem(await stripe.webhookEndpoints.list()).id).toBe('we_sandbox');
  });
});
