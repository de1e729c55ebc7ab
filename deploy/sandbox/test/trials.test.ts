import { days, inSeconds } from '@shortlist/contracts/durations';
import { expect, it } from 'vitest';
import { addPlan, advance, firstItem, type RunningSandbox, startSandbox } from './support.ts';

const AT = '2026-03-01T12:00:00Z';
const END = Date.parse('2026-03-15T12:00:00Z') / 1_000;

/** A customer who has begun a trial of two weeks. */
const begin = async ({ stripe, control }: RunningSandbox, card = '4242424242424242') => {
  const price = await addPlan(stripe);
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://127.0.0.1:9/done',
    subscription_data: { metadata: { trial: '14' }, trial_period_days: 14 },
    allowed_payment_method_types: ['card'],
    payment_method_collection: 'always',
  });
  expect(session).toMatchObject({ amount_total: 0, amount_subtotal: 0, status: 'open' });
  const { body } = await control('POST', `/checkout_sessions/${session.id}/pay`, { card });
  return { customer: customer.id, subscription: body.subscription, sessionId: session.id };
};

const invoicesOf = async ({ stripe }: RunningSandbox, customer: string) =>
  (await stripe.invoices.list({ customer })).data;
const typesOf = async ({ stripe }: RunningSandbox): Promise<string[]> =>
  (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);

it('a trial is the first period, at 0, and the price follows', async () => {
  const sandbox = await startSandbox({ at: AT });
  const { stripe } = sandbox;
  const { customer, subscription, sessionId } = await begin(sandbox);
  const trialing = await stripe.subscriptions.retrieve(subscription);
  expect(trialing).toMatchObject({ status: 'trialing', trial_end: END, billing_cycle_anchor: END });
  expect(firstItem(trialing.items)).toMatchObject({ current_period_end: END });
  const session = await stripe.checkout.sessions.retrieve(sessionId);
  expect(session).toMatchObject({ status: 'complete', payment_status: 'no_payment_required' });
  const [first] = await invoicesOf(sandbox, customer);
  expect(first).toMatchObject({
    status: 'paid',
    total: 0,
    billing_reason: 'subscription_create',
    parent: { subscription_details: { metadata: { trial: '14' } } },
  });
  expect(first?.lines.data[0]).toMatchObject({ subtotal: 0, period: { end: END } });
  expect((await stripe.charges.list({ customer })).data).toEqual([]);
  await advance(sandbox, inSeconds(days(14)));
  const [charged] = await invoicesOf(sandbox, customer);
  expect(charged).toMatchObject({ status: 'paid', amount_paid: 5_900, billing_reason: 'subscription_cycle' });
  const active = await stripe.subscriptions.retrieve(subscription);
  expect(active).toMatchObject({ status: 'active', trial_end: END });
  expect(firstItem(active.items)).toMatchObject({
    current_period_start: END,
    current_period_end: Date.parse('2026-04-15T12:00:00Z') / 1_000,
  });
});

it('the end of a trial is announced once, three days before', async () => {
  const sandbox = await startSandbox({ at: AT });
  await begin(sandbox);
  const notices = async () =>
    (await typesOf(sandbox)).filter((type) => type === 'customer.subscription.trial_will_end').length;
  await advance(sandbox, inSeconds(days(10)));
  expect(await notices()).toBe(0);
  await advance(sandbox, inSeconds(days(2)));
  expect(await notices()).toBe(1);
  await advance(sandbox, inSeconds(days(5)));
  expect(await notices()).toBe(1);
});

it('a trial that is set to end charges nothing', async () => {
  const sandbox = await startSandbox({ at: AT });
  const { customer, subscription } = await begin(sandbox);
  await sandbox.stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
  await advance(sandbox, inSeconds(days(20)));
  expect((await sandbox.stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
  expect((await invoicesOf(sandbox, customer)).map(({ total }) => total)).toEqual([0]);
});

it('a first charge that is declined is past due', async () => {
  const sandbox = await startSandbox({ at: AT });
  const { customer, subscription } = await begin(sandbox, '4000000000000341');
  await advance(sandbox, inSeconds(days(15)));
  expect((await sandbox.stripe.subscriptions.retrieve(subscription)).status).toBe('past_due');
  expect((await invoicesOf(sandbox, customer)).map(({ status }) => status)).toEqual(['open', 'paid']);
});

it('a card has the same fingerprint with every customer', async () => {
  const sandbox = await startSandbox({ at: AT });
  const { customer } = await begin(sandbox);
  const { stripe, control } = sandbox;
  const other = await stripe.customers.create({ email: 'eve@example.com' });
  await control('POST', `/customers/${other.id}/card`, { card: '4242424242424242' });
  const printOf = async (id: string): Promise<string | null | undefined> => {
    const expand = ['invoice_settings.default_payment_method'];
    const found = await stripe.customers.retrieve(id, { expand });
    const method = found.deleted ? null : found.invoice_settings.default_payment_method;
    return typeof method === 'object' ? method?.card?.fingerprint : undefined;
  };
  const [one, another] = [await printOf(other.id), await printOf(customer)];
  expect([one, one]).toEqual([expect.any(String), another]);
});
