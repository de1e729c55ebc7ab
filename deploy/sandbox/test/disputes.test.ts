import { describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import { firstItem, idOf, startSandbox, subscribe, type RunningSandbox } from './support.ts';

const payOnce = async (sandbox: RunningSandbox) => {
  const { subscription, customer } = await subscribe(sandbox);
  const charge = firstItem(await sandbox.stripe.charges.list({ customer: customer.id }));
  return { charge, invoice: idOf(subscription.latest_invoice) };
};

const post = async <T>({ control }: RunningSandbox, path: string, body: object = {}): Promise<T> => {
  const { status, body: responseBody } = await control('POST', path, body);
  if (status !== 200) throw new Error(JSON.stringify(responseBody));
  return responseBody as T;
};

const latestTypes = async ({ stripe }: RunningSandbox, limit: number): Promise<string[]> =>
  (await stripe.events.list({ limit })).data.map(({ type }) => type).reverse();

describe('disputes', () => {
  it('an opened dispute takes the amount and a fee from the balance', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { charge, invoice } = await payOnce(sandbox);
    const dispute = await post<Stripe.Dispute>(sandbox, `/invoices/${invoice}/dispute`);
    expect(dispute).toMatchObject({
      amount: 5900,
      charge: charge.id,
      payment_intent: charge.payment_intent,
      reason: 'fraudulent',
      status: 'needs_response',
      balance_transactions: [{ amount: -5900, fee: 1500, net: -7400, type: 'adjustment' }],
    });
    expect(await latestTypes(sandbox, 2)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
    ]);
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true, refunded: false });
    expect((await stripe.disputes.list({ charge: charge.id })).data.map(({ id }) => id)).toEqual([
      dispute.id,
    ]);
    expect((await stripe.disputes.list({ payment_intent: 'pi_other' })).data).toEqual([]);
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    expect((await sandbox.control('POST', `/charges/${charge.id}/dispute`)).status).toBe(400);
  });

  it('a won dispute returns the amount without the fee and can be refunded', async () => {
    const sandbox = await startSandbox();
    const { charge } = await payOnce(sandbox);
    const { id } = await post<Stripe.Dispute>(sandbox, `/charges/${charge.id}/dispute`, {
      reason: 'general',
    });
    const won = await post<Stripe.Dispute>(sandbox, `/disputes/${id}/close`, { status: 'won' });
    expect(won.status).toBe('won');
    expect(won.balance_transactions.map(({ amount, fee }) => [amount, fee])).toEqual([
      [-5900, 1500],
      [5900, 0],
    ]);
    expect(await latestTypes(sandbox, 2)).toEqual([
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ]);
    expect((await sandbox.stripe.refunds.create({ charge: charge.id })).amount).toBe(5900);
  });

  it('a lost dispute keeps the amount and stays closed', async () => {
    const sandbox = await startSandbox();
    const { charge } = await payOnce(sandbox);
    const { id } = await post<Stripe.Dispute>(sandbox, `/charges/${charge.id}/dispute`, { amount: 1000 });
    await post(sandbox, `/disputes/${id}/close`, { status: 'lost' });
    const lost = await sandbox.stripe.disputes.retrieve(id, { expand: ['charge'] });
    expect(lost).toMatchObject({ amount: 1000, status: 'lost', charge: { id: charge.id } });
    expect(lost.balance_transactions).toHaveLength(1);
    expect(await latestTypes(sandbox, 1)).toEqual(['charge.dispute.closed']);
    await expect(sandbox.stripe.disputes.close(id)).rejects.toThrow('already closed');
  });

  it('an early fraud warning is listed by its charge', async () => {
    const sandbox = await startSandbox();
    const { charge } = await payOnce(sandbox);
    const warning = await post<{ id: string }>(sandbox, `/charges/${charge.id}/early_fraud_warning`);
    const listed = await sandbox.stripe.radar.earlyFraudWarnings.list({ charge: charge.id });
    expect(firstItem(listed)).toMatchObject({ id: warning.id, actionable: true, charge: charge.id });
    expect(await latestTypes(sandbox, 1)).toEqual(['radar.early_fraud_warning.created']);
  });
});

describe('a refund that fails at the bank', () => {
  it('returns the amount to the balance and can be repeated', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { charge } = await payOnce(sandbox);
    const refund = await stripe.refunds.create({ charge: charge.id });
    await post(sandbox, `/refunds/${refund.id}/fail`);
    expect(
      await stripe.refunds.retrieve(refund.id, { expand: ['failure_balance_transaction'] }),
    ).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
      failure_balance_transaction: { amount: 5900, fee: 0, type: 'refund_failure' },
    });
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await latestTypes(sandbox, 2)).toEqual(['refund.failed', 'charge.refund.updated']);
    expect((await stripe.refunds.create({ charge: charge.id })).amount).toBe(5900);
  });
});
