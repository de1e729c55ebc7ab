import { expect, test } from 'vitest';
import Stripe from 'stripe';
import { start } from './support.ts';

test('a fault fails so many calls and no more', async () => {
  const { stripe, control } = await start();
  await control('PUT', '/faults', { method: 'POST', path: '/v1/customers', status: 500, times: 2 });
  await expect(stripe.customers.create({})).rejects.toBeInstanceOf(Stripe.errors.StripeAPIError);
  await expect(stripe.customers.create({})).rejects.toMatchObject({ statusCode: 500 });
  await stripe.customers.create({});
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('429 is Stripe’s rate limit error with Retry-After', async () => {
  const { stripe, control } = await start();
  await control('PUT', '/faults', { path: '/v1/', status: 429 });
  await expect(stripe.customers.list()).rejects.toMatchObject({
    type: 'StripeRateLimitError',
    headers: expect.objectContaining({ 'retry-after': '1' }) as object,
  });
});

test('a pattern meets one kind of address alone', async () => {
  const { stripe, control } = await start();
  const { id } = await stripe.customers.create({});
  await control('PUT', '/faults', { method: 'GET', path: '/v1/customers/:id', status: 503, times: 5 });
  await stripe.customers.list();
  await expect(stripe.customers.retrieve(id)).rejects.toMatchObject({ statusCode: 503 });
  await control('DELETE', '/faults');
  await stripe.customers.retrieve(id);
});

test('reset does the work and then cuts the line, so a retry with the same key finds it done', async () => {
  const { stripe, control } = await start();
  // The library tries once more by itself when the line is cut, whatever maxNetworkRetries says.
  await control('PUT', '/faults', { method: 'POST', path: '/v1/customers', reset: true, times: 2 });
  const options = { idempotencyKey: 'k-1' };
  const cut = stripe.customers.create({ name: 'once' }, options);
  await expect(cut).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
  const [held] = (await stripe.customers.list()).data;
  const retried = await stripe.customers.create({ name: 'once' }, options);
  expect(retried.id).toBe(held?.id);
});

test('the library’s own retry survives a cut line, an error and a slow answer', async () => {
  const { stripe, control } = await start({ stripe: { maxNetworkRetries: 3, timeout: 500 } });
  await control('PUT', '/faults', { method: 'POST', path: '/v1/customers', reset: true });
  await control('PUT', '/faults', { method: 'POST', path: '/v1/products', status: 500 });
  await control('PUT', '/faults', { method: 'GET', path: '/v1/customers', delayMs: 1500 });
  await stripe.customers.create({ name: 'once' });
  await stripe.products.create({ name: 'once' });
  expect((await stripe.customers.list()).data).toHaveLength(1);
  expect((await stripe.products.list()).data).toHaveLength(1);
}, 15_000);

test('a fault that makes no sense is refused in words', async () => {
  const { control } = await start();
  const { status, body } = await control('PUT', '/faults', { status: 200 });
  expect(status).toBe(400);
  expect(body.error.message).toContain('status');
});

test('reset forgets everything', async () => {
  const { stripe, control } = await start({ at: '2026-11-20T00:00:00Z' });
  await stripe.customers.create({});
  await control('PUT', '/faults', { path: '/v1', status: 500, times: 9 });
  await control('PUT', '/webhooks', { drop: true });
  await control('POST', '/clock/advance', { seconds: 1000 });
  expect((await control('POST', '/reset')).body.now).toBe(Date.parse('2026-11-20T00:00:00Z') / 1000);
  expect((await stripe.customers.list()).data).toHaveLength(0);
  expect((await control('PUT', '/webhooks', {})).body).toMatchObject({ drop: false });
});
