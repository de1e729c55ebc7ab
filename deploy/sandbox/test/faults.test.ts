import { describe, expect, it } from 'vitest';
import Stripe from 'stripe';
import { startSandbox } from './support.ts';

describe('injected faults', () => {
  it('a fault applies to the configured number of requests', async () => {
    const { stripe, control } = await startSandbox();
    await control('PUT', '/faults', { method: 'POST', path: '/v1/customers', status: 500, times: 2 });
    await expect(stripe.customers.create({})).rejects.toBeInstanceOf(Stripe.errors.StripeAPIError);
    await expect(stripe.customers.create({})).rejects.toMatchObject({ statusCode: 500 });
    await stripe.customers.create({});
    expect((await stripe.customers.list()).data).toHaveLength(1);
  });

  it('status 429 produces Stripe’s rate limit error with Retry-After', async () => {
    const { stripe, control } = await startSandbox();
    await control('PUT', '/faults', { path: '/v1/', status: 429 });
    await expect(stripe.customers.list()).rejects.toMatchObject({
      type: 'StripeRateLimitError',
      headers: expect.objectContaining({ 'retry-after': '1' }) as object,
    });
  });

  it('a path pattern matches one endpoint only', async () => {
    const { stripe, control } = await startSandbox();
    const { id } = await stripe.customers.create({});
    await control('PUT', '/faults', { method: 'GET', path: '/v1/customers/:id', status: 503, times: 5 });
    await stripe.customers.list();
    await expect(stripe.customers.retrieve(id)).rejects.toMatchObject({ statusCode: 503 });
    await control('DELETE', '/faults');
    await stripe.customers.retrieve(id);
  });

  it('a reset fault completes the request before it closes the connection, so a retry with the same key finds the result', async () => {
    const { stripe, control } = await startSandbox();
    // The library retries once after a closed connection, even with maxNetworkRetries 0.
    await control('PUT', '/faults', { method: 'POST', path: '/v1/customers', reset: true, times: 2 });
    const options = { idempotencyKey: 'k-1' };
    const firstAttempt = stripe.customers.create({ name: 'once' }, options);
    await expect(firstAttempt).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
    const [customer] = (await stripe.customers.list()).data;
    const retried = await stripe.customers.create({ name: 'once' }, options);
    expect(retried.id).toBe(customer?.id);
  });

  it('the Stripe library’s retries recover from a closed connection, an error and a timeout', async () => {
    const { stripe, control } = await startSandbox({ stripe: { maxNetworkRetries: 3, timeout: 500 } });
    await control('PUT', '/faults', { method: 'POST', path: '/v1/customers', reset: true });
    await control('PUT', '/faults', { method: 'POST', path: '/v1/products', status: 500 });
    await control('PUT', '/faults', { method: 'GET', path: '/v1/customers', delayMs: 1500 });
    await stripe.customers.create({ name: 'once' });
    await stripe.products.create({ name: 'once' });
    expect((await stripe.customers.list()).data).toHaveLength(1);
    expect((await stripe.products.list()).data).toHaveLength(1);
  }, 15_000);

  it('an invalid fault is rejected with a message that names the field', async () => {
    const { control } = await startSandbox();
    const { status, body } = await control('PUT', '/faults', { status: 200 });
    expect(status).toBe(400);
    expect(body.error.message).toContain('status');
  });

  it('POST /_sandbox/reset deletes data, faults, webhook behaviour and the clock offset', async () => {
    const { stripe, control } = await startSandbox({ at: '2026-11-20T00:00:00Z' });
    await stripe.customers.create({});
    await control('PUT', '/faults', { path: '/v1', status: 500, times: 9 });
    await control('PUT', '/webhooks', { drop: true });
    await control('POST', '/clock/advance', { seconds: 1000 });
    expect((await control('POST', '/reset')).body.now).toBe(Date.parse('2026-11-20T00:00:00Z') / 1000);
    expect((await stripe.customers.list()).data).toHaveLength(0);
    expect((await control('PUT', '/webhooks', {})).body).toMatchObject({ drop: false });
  });
});
