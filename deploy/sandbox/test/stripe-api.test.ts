import { describe, expect, it } from 'vitest';
import Stripe from 'stripe';
import { DAY } from '../src/model/billing-cycle.rules.ts';
import { decodeForm } from '../src/stripe/params.ts';
import { addPlan, openCheckout, startSandbox, subscribe, idOf } from './support.ts';

describe('pagination', () => {
  it('follows the cursor in both directions', async () => {
    const { stripe } = await startSandbox();
    const createdIds = [];
    for (let n = 0; n < 25; n += 1) createdIds.push((await stripe.customers.create({ name: String(n) })).id);
    const newestFirst = createdIds.toReversed();
    const first = await stripe.customers.list({ limit: 10 });
    expect(first.data.map(({ id }) => id)).toEqual(newestFirst.slice(0, 10));
    expect(first.has_more).toBe(true);
    const last = await stripe.customers.list({ limit: 10, starting_after: newestFirst[19] ?? '' });
    expect(last.data.map(({ id }) => id)).toEqual(newestFirst.slice(20));
    expect(last.has_more).toBe(false);
    const back = await stripe.customers.list({ limit: 5, ending_before: newestFirst[10] ?? '' });
    expect(back.data.map(({ id }) => id)).toEqual(newestFirst.slice(5, 10));
    const all = await stripe.customers.list({ limit: 7 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(newestFirst);
  });

  it.each([
    [{ limit: 0 }, 'greater than or equal to 1'],
    [{ limit: 101 }, 'less than or equal to 100'],
    [{ starting_after: 'cus_unknown' }, "No such customer: 'cus_unknown'"],
  ])('rejects the list parameters %j', async (params, message) => {
    const { stripe } = await startSandbox();
    await stripe.customers.create({});
    await expect(stripe.customers.list(params)).rejects.toThrow(message);
  });

  it('filters by creation time', async () => {
    const sandbox = await startSandbox({ at: '2026-11-20T00:00:00Z' });
    const { stripe, control } = sandbox;
    const { subscription } = await subscribe(sandbox);
    await control('POST', '/clock/advance', { seconds: 31 * DAY });
    const since = subscription.created + DAY;
    expect((await stripe.invoices.list({ created: { gte: since } })).data).toHaveLength(1);
    expect((await stripe.invoices.list({ created: { lt: since } })).data).toHaveLength(1);
    expect((await stripe.subscriptions.list({ created: { gte: since } })).data).toHaveLength(0);
    const types = ['invoice.paid', 'customer.subscription.created'];
    expect((await stripe.events.list({ types, created: { gte: since } })).data).toHaveLength(1);
  });
});

describe('idempotency keys', () => {
  it('a request with the same key and parameters replays the first response', async () => {
    const { stripe } = await startSandbox();
    const options = { idempotencyKey: 'k-1' };
    const first = await stripe.customers.create({ email: 'a@example.com' }, options);
    const again = await stripe.customers.create({ email: 'a@example.com' }, options);
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(again.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId);
    expect((await stripe.customers.list()).data).toHaveLength(1);
    const other = stripe.customers.create({ email: 'b@example.com' }, options);
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it('a key expires after a day, and an invalid request does not use its key', async () => {
    const { stripe, control } = await startSandbox();
    const options = { idempotencyKey: 'k-1' };
    await expect(stripe.customers.create({ email: 'nonsense' }, options)).rejects.toThrow('Invalid email');
    const bad = stripe.products.create({ name: '' }, { idempotencyKey: 'k-2' });
    await expect(bad).rejects.toThrow('empty string');
    const first = await stripe.products.create({ name: 'x' }, { idempotencyKey: 'k-2' });
    await control('POST', '/clock/advance', { seconds: DAY + 1 });
    const second = await stripe.products.create({ name: 'x' }, { idempotencyKey: 'k-2' });
    expect(second.id).not.toBe(first.id);
  });

  it('a key of a request in progress is rejected', async () => {
    const { stripe, control } = await startSandbox();
    await control('PUT', '/faults', { method: 'POST', path: '/v1/customers', delayMs: 300 });
    const options = { idempotencyKey: 'k-1' };
    const firstRequest = stripe.customers.create({}, options);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(stripe.customers.create({}, options)).rejects.toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    });
    const { id } = await firstRequest;
    expect((await stripe.customers.create({}, options)).id).toBe(id);
  });
});

describe('errors', () => {
  it('have Stripe’s format', async () => {
    const { stripe, url } = await startSandbox();
    await expect(stripe.customers.retrieve('cus_unknown')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
      message: "No such customer: 'cus_unknown'",
      requestId: expect.stringMatching(/^req_/) as string,
    });
    const { hostname, port } = new URL(url);
    const unauthorized = new Stripe('sk_test_wrong_key', { host: hostname, port, protocol: 'http' });
    await expect(unauthorized.customers.list()).rejects.toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    );
    const unknown = stripe.customers.create({ shoe_size: 4 } as object);
    await expect(unknown).rejects.toMatchObject({ code: 'parameter_unknown', param: 'shoe_size' });
    const missing = stripe.checkout.sessions.create({ mode: 'subscription', line_items: [{ price: 'x' }] });
    await expect(missing).rejects.toMatchObject({ code: 'parameter_missing', param: 'success_url' });
    const unknownPath = await fetch(`${url}/v1/nonsense`, {
      headers: { authorization: 'Bearer sk_test_sandbox' },
    });
    expect(unknownPath.status).toBe(404);
    await stripe.customers.create({});
    await expect(stripe.customers.list({ expand: ['data.nonsense'] })).rejects.toThrow('cannot be expanded');
  });
});

describe('checkout sessions', () => {
  it('invalid parameters are rejected', async () => {
    const { stripe } = await startSandbox();
    const price = await addPlan(stripe);
    const base = { mode: 'subscription', success_url: 'http://127.0.0.1:9/' } as const;
    const line_items = [{ price: price.id, quantity: 1 }];
    const create = stripe.checkout.sessions.create.bind(stripe.checkout.sessions);
    await expect(create({ ...base, line_items, customer: 'cus_x' })).rejects.toThrow(
      "No such customer: 'cus_x'",
    );
    await expect(create({ ...base, line_items: [{ price: 'price_x', quantity: 1 }] })).rejects.toMatchObject({
      param: 'line_items[0][price]',
    });
    await expect(create({ ...base, line_items: [{ price: price.id }] })).rejects.toThrow(
      'Quantity is required',
    );
    await expect(create({ ...base, line_items, expires_at: 1 })).rejects.toThrow('at least 30 minutes');
  });

  it.each([
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000000069', 'expired_card', 'expired_card'],
    ['4242424242424241', 'incorrect_number', undefined],
  ])('the declined card %s receives 402 and changes nothing', async (card, code, decline_code) => {
    const { stripe, control } = await startSandbox();
    const { session, customer } = await openCheckout(stripe);
    const { status, body } = await control('POST', `/checkout_sessions/${session.id}/pay`, { card });
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: 'card_error', code, ...(decline_code && { decline_code }) });
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toHaveLength(0);
    expect((await control('POST', `/checkout_sessions/${session.id}/pay`, {})).status).toBe(200);
  });

  it('a card that requires authentication pays only when authenticated', async () => {
    const { stripe, control } = await startSandbox();
    const { session } = await openCheckout(stripe);
    const path = `/checkout_sessions/${session.id}/pay`;
    const declined = await control('POST', path, { card: '4000002500003155', authenticate: false });
    expect(declined).toMatchObject({ status: 402, body: { error: { code: 'authentication_required' } } });
    expect((await control('POST', path, { card: '4000002500003155' })).status).toBe(200);
    expect((await control('POST', path, {})).status).toBe(400);
    expect((await control('POST', '/checkout_sessions/cs_unknown/pay', {})).status).toBe(404);
  });
});

describe('refunds', () => {
  it('a charge is refunded in part and in full', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { customer } = await subscribe(sandbox);
    const charge = (await stripe.charges.list({ customer: customer.id })).data[0];
    const id = charge?.id ?? '';
    expect(await stripe.refunds.create({ charge: id, amount: 900 })).toMatchObject({
      status: 'succeeded',
      amount: 900,
    });
    expect(await stripe.charges.retrieve(id)).toMatchObject({ amount_refunded: 900, refunded: false });
    await expect(stripe.refunds.create({ charge: id, amount: 5001 })).rejects.toThrow(
      'greater than unrefunded',
    );
    const rest = await stripe.refunds.create({ payment_intent: idOf(charge?.payment_intent) });
    expect(rest.amount).toBe(5000);
    expect(await stripe.charges.retrieve(id, { expand: ['refunds'] })).toMatchObject({ refunded: true });
    await expect(stripe.refunds.create({ charge: id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    expect((await stripe.refunds.list({ charge: id })).data).toHaveLength(2);
    const movements = await stripe.balanceTransactions.list({ type: 'refund' });
    expect(movements.data.map(({ amount, fee, net }) => [amount, fee, net])).toEqual([
      [-5000, 0, -5000],
      [-900, 0, -900],
    ]);
    const types = (await stripe.events.list({ limit: 3 })).data.map(({ type }) => type);
    expect(types).toEqual(['refund.updated', 'charge.refunded', 'refund.created']);
  });
});

const plain = (text: string) => JSON.parse(JSON.stringify(decodeForm(text))) as unknown;

describe('form decoding', () => {
  it('converts nested names to objects and lists', () => {
    expect(plain('line_items[0][price]=p1&line_items[0][quantity]=2&line_items[1][price]=p2')).toEqual({
      line_items: [{ price: 'p1', quantity: '2' }, { price: 'p2' }],
    });
    expect(plain('expand[]=a&expand[]=b.c')).toEqual({ expand: ['a', 'b.c'] });
    expect(plain('created[gte]=1&email=a%2Bb%40c.de')).toEqual({ created: { gte: '1' }, email: 'a+b@c.de' });
  });

  it('does not write to prototypes', () => {
    decodeForm('__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
