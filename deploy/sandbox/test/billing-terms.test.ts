import { days, inSeconds } from '@shortlist/contracts/durations';
import { describe, expect, it } from 'vitest';
import { advance, firstItem, idOf, type RunningSandbox, startSandbox, subscribe } from './support.ts';

const A_MONTH = inSeconds(days(32));
const invoicesOf = async ({ stripe }: RunningSandbox, customer: string) =>
  (await stripe.invoices.list({ customer })).data;

describe('an invoice of more lines than a page', () => {
  it('has its first ten, one-off charges first, and the rest in its list, also in events', async () => {
    const sandbox = await startSandbox({ at: '2026-03-01T12:00:00Z' });
    const { stripe } = sandbox;
    const { customer, subscription } = await subscribe(sandbox);
    for (let count = 0; count < 10; count += 1)
      await stripe.invoiceItems.create({
        customer: customer.id,
        subscription: subscription.id,
        amount: 100,
        currency: 'usd',
      });
    await advance(sandbox, A_MONTH);
    const renewal = firstItem({ data: await invoicesOf(sandbox, customer.id) });
    expect(renewal).toMatchObject({ amount_paid: 6_900, lines: { has_more: true } });
    expect(renewal.lines.data).toHaveLength(10);
    expect(renewal.lines.data.map(({ amount }) => amount)).not.toContain(5_900);
    const all = await stripe.invoices.listLineItems(renewal.id).autoPagingToArray({ limit: 100 });
    expect(all.map(({ amount }) => amount)).toEqual([...Array<number>(10).fill(100), 5_900]);
    const events = await stripe.events.list({ type: 'invoice.paid', limit: 1 });
    expect(firstItem(events).data.object).toMatchObject({ lines: { has_more: true } });
  });
});

it.each([
  ['void', 'void'],
  ['mark_uncollectible', 'uncollectible'],
  ['keep_as_draft', 'draft'],
] as const)(
  'a pause of collection (%s) leaves the renewal %s, until it resumes',
  async (behavior, status) => {
    const sandbox = await startSandbox({ at: '2026-03-01T12:00:00Z' });
    const { stripe } = sandbox;
    const { customer, subscription } = await subscribe(sandbox);
    const resumes_at = Date.parse('2026-04-15T12:00:00Z') / 1_000;
    await stripe.subscriptions.update(subscription.id, { pause_collection: { behavior, resumes_at } });
    await advance(sandbox, A_MONTH);
    expect((await invoicesOf(sandbox, customer.id)).map((one) => one.status)).toEqual([status, 'paid']);
    await advance(sandbox, A_MONTH);
    expect((await invoicesOf(sandbox, customer.id))[0]?.status).toBe('paid');
    expect((await stripe.subscriptions.retrieve(subscription.id)).pause_collection).toBeNull();
  },
);

it('a subscription with an end of its own is renewed until then', async () => {
  const sandbox = await startSandbox({ at: '2026-03-01T12:00:00Z' });
  const { stripe } = sandbox;
  const { customer, subscription } = await subscribe(sandbox);
  const past = stripe.subscriptions.update(subscription.id, { cancel_at: 1 });
  await expect(past).rejects.toMatchObject({ param: 'cancel_at' });
  const cancel_at = Date.parse('2026-05-01T12:00:00Z') / 1_000;
  await stripe.subscriptions.update(subscription.id, { cancel_at });
  await advance(sandbox, 3 * A_MONTH);
  expect(await invoicesOf(sandbox, customer.id)).toHaveLength(2);
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    status: 'canceled',
    ended_at: cancel_at,
  });
});

it('a moved price is charged from the next period on, and a price that is paid once is refused', async () => {
  const sandbox = await startSandbox({ at: '2026-03-01T12:00:00Z' });
  const { stripe } = sandbox;
  const { customer, subscription } = await subscribe(sandbox);
  const { product } = firstItem(subscription.items).price;
  const [monthly, once] = await Promise.all([
    stripe.prices.create({
      product: idOf(product),
      currency: 'usd',
      unit_amount: 4_900,
      recurring: { interval: 'month' },
    }),
    stripe.prices.create({ product: idOf(product), currency: 'usd', unit_amount: 4_900 }),
  ]);
  const move = (price: string) =>
    stripe.subscriptions.update(subscription.id, {
      items: [{ id: firstItem(subscription.items).id, price }],
      proration_behavior: 'none',
    });
  await expect(move(once.id)).rejects.toMatchObject({ param: 'items[0][price]' });
  await move(monthly.id);
  await advance(sandbox, A_MONTH);
  const amounts = (await invoicesOf(sandbox, customer.id)).map((one) => one.amount_paid);
  expect(amounts).toEqual([4_900, 5_900]);
});

describe('the search', () => {
  it('is refused where the account may not search, and lags behind a deletion', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { id } = await stripe.customers.create({ metadata: { userId: 'ada' } });
    await stripe.customers.del(id);
    const query = "metadata['userId']:'ada'";
    expect((await stripe.customers.search({ query })).data.map((one) => one.id)).toEqual([id]);
    await advance(sandbox, 61);
    expect((await stripe.customers.search({ query })).data).toEqual([]);
    await sandbox.control('PUT', '/settings', { searchAllowed: false });
    await expect(stripe.customers.search({ query })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
    });
  });
});
