import { billingEndpoints, packEndpoints } from '@shortlist/contracts/api/billing';
import { asService } from '@shortlist/kit/http/http-client';
import { until } from '@shortlist/kit/testing/until';
import type { Stripe } from 'stripe';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCheckout } from '../src/checkout/open-checkout.ts';
import { PACK_SALE } from '../src/checkout/sales.ts';
import { createPackSale } from '../src/packs/pack-offer.ts';
import { refreshSubscriber } from '../src/refresh/refresh-subscriber.ts';
import { NO_OPTIONS } from '../src/stripe/checkouts.ts';
import { createStripeGateway } from '../src/stripe/gateway.ts';
import { type Billing, codeOf, openBilling, PACK, times } from './support.ts';
import { packsIn } from './pack-support.ts';

let billing: Billing;
let packs: ReturnType<typeof packsIn>;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
  packs = packsIn(billing);
});
afterAll(() => billing.close());

const deliverAll = async (
  customer: string,
  order: (events: Stripe.Event[]) => Stripe.Event[],
): Promise<void> => {
  for (const event of order(await billing.eventsOf(customer))) await billing.deliver(event);
  await until('the events to be settled', async () =>
    (await billing.inbox(customer)).every(({ status }) => status === 'done' || status === 'ignored'),
  );
};

describe('F13 a pack of credits', () => {
  it('is offered at the price and with the credits that Stripe states', async () => {
    const { data } = await billing.call(packEndpoints.getPackOffer, {}, asService());
    expect(data).toEqual(PACK);
  });

  it('is paid once on a page that names the user and the credits, without promotion codes', async () => {
    const withCodes = await openBilling({ checkout: { promotionCodes: true } });
    try {
      const userId = uuidv7();
      const id = withCodes.sessionIn((await withCodes.openPackCheckout(userId)).url);
      const session = await withCodes.api.checkout.sessions.retrieve(id);
      expect(session).toMatchObject({
        mode: 'payment',
        amount_total: 1_900,
        allow_promotion_codes: null,
        client_reference_id: userId,
        metadata: { userId, pack: 'shortlist_credit_pack', credits: '250' },
        success_url: 'https://shortlist.test/credits/pack?xsl={CHECKOUT_SESSION_ID}',
        cancel_url: 'https://shortlist.test/credits',
      });
      await withCodes.pay(id);
      const [intent] = (await withCodes.api.paymentIntents.list()).data;
      expect(intent).toMatchObject({ amount: 1_900, metadata: { userId, credits: '250' } });
    } finally {
      await withCodes.close();
    }
  });

  it('that was paid is confirmed by the success page with its event, and changes no plan', async () => {
    const { userId, pack } = await packs.buyPack();
    expect(pack).toMatchObject({ ...PACK, version: 1, paidCredits: 250, state: 'paid' });
    expect(await packs.packsOf(userId)).toEqual([pack]);
    expect(await billing.emitted(userId)).toEqual(['CreditPackChanged']);
    const { packId, version, credits, paidCredits, paidAt } = pack;
    expect(await packs.packEvents(userId)).toEqual([{ packId, version, credits, paidCredits, paidAt }]);
    const { data } = await billing.read(userId);
    expect(data).toMatchObject({ plan: 'free', lastPayment: null, problem: null, periodEnd: null });
  });

  it('is confirmed only to its payer, and only once it is paid', async () => {
    const userId = uuidv7();
    const sessionId = await packs.openPage(userId);
    expect(await billing.confirmPack(userId, sessionId).catch(codeOf)).toBe('billing.not_paid');
    await billing.pay(sessionId);
    const { userId: other } = await packs.buyPack();
    expect(await billing.confirmPack(other, sessionId).catch(codeOf)).toBe('billing.checkout_not_found');
    expect(await packs.packsOf(userId)).toEqual([]);
    expect(await packs.packsOf(other)).toHaveLength(1);
  });

  it('is one pack, whatever the order of its events and their repetitions', async () => {
    const { userId, customer } = await packs.payPack();
    await deliverAll(customer, (events) => events.toReversed());
    await deliverAll(customer, (events) => [...events, ...events]);
    await billing.reconcile();
    expect(await packs.states(userId)).toEqual([[1, 250]]);
    expect(await packs.packsOf(userId)).toHaveLength(1);
  });

  it('is recorded once when the success page, webhooks and reconciliation come at the same time', async () => {
    const { userId, sessionId, customer } = await packs.payPack();
    const events = await billing.eventsOf(customer);
    await Promise.all([
      ...times(4).map(() => billing.confirmPack(userId, sessionId)),
      ...events.map((event) => billing.deliver(event)),
      billing.reconcile(),
    ]);
    await deliverAll(customer, (all) => all);
    expect(await packs.states(userId)).toEqual([[1, 250]]);
  });

  it('is found by reconciliation when no webhook arrives', async () => {
    const { userId } = await packs.payPack();
    await billing.db.query(
      "INSERT INTO cursors (list, position) VALUES ('events', '2036-01-01T00:00:00.000Z')",
    );
    await billing.reconcile();
    expect(await packs.states(userId)).toEqual([[1, 250]]);
  });

  it('has no credits while its invoice is open', async () => {
    const { userId } = await packs.payPack();
    const readCustomer: typeof billing.stripe.readCustomer = async (id) => {
      const snapshot = await billing.stripe.readCustomer(id);
      return { ...snapshot, packs: snapshot.packs.map((invoice) => ({ ...invoice, status: 'open' })) };
    };
    const parts = { ...billing, stripe: { ...billing.stripe, readCustomer } };
    const origin = { by: 'test', reason: 'an open invoice', waitMs: 0 };
    await refreshSubscriber(parts, userId, origin);
    expect(await packs.packsOf(userId)).toEqual([]);
    await refreshSubscriber(billing, userId, origin);
    expect(await packs.states(userId)).toEqual([[1, 250]]);
  });

  it('ordered by twenty clicks is one page; two bought one after the other are two', async () => {
    const userId = uuidv7();
    const pages = await Promise.all(times(20).map(() => packs.openPage(userId)));
    expect(new Set(pages).size).toBe(1);
    await billing.pay(pages[0] ?? '');
    const second = await packs.openPage(userId);
    expect(second).not.toBe(pages[0]);
    expect(await packs.packsOf(userId)).toHaveLength(1);
    await billing.pay(second);
    await billing.confirmPack(userId, second);
    const bought = await packs.packsOf(userId);
    expect(new Set(bought.map(({ packId }) => packId)).size).toBe(2);
    expect(await packs.states(userId)).toEqual([
      [1, 250],
      [1, 250],
    ]);
  });

  it('is the same pack when it is recorded again after its rows were lost', async () => {
    const { userId, pack } = await packs.buyPack();
    await billing.db.query('DELETE FROM credit_packs');
    await billing.reconcile();
    await packs.refund((await billing.api.invoices.list()).data[0]?.id ?? '', 500);
    await billing.reconcile();
    expect((await packs.packsOf(userId)).map(({ packId }) => packId)).toEqual([pack.packId]);
  });
});

describe('F13 the bank debit of a pack', () => {
  const payByDebit = async () => {
    const userId = uuidv7();
    const sessionId = await packs.openPage(userId);
    const path = `/checkout_sessions/${sessionId}/pay`;
    const paid = await billing.sandbox.control<{ invoice: string; customer: string }>('POST', path, {
      method: 'bank_debit',
    });
    return { userId, sessionId, ...paid };
  };
  const settle = (invoice: string, outcome: 'succeeded' | 'failed') =>
    billing.sandbox.control('POST', `/invoices/${invoice}/settle`, { outcome });

  it('gives no credits before the bank has confirmed it', async () => {
    const { userId, sessionId, invoice, customer } = await payByDebit();
    expect(await billing.confirmPack(userId, sessionId).catch(codeOf)).toBe('billing.pack_processing');
    expect(await packs.packsOf(userId)).toEqual([]);
    await settle(invoice, 'succeeded');
    await deliverAll(customer, (events) => events);
    expect(await packs.states(userId)).toEqual([[1, 250]]);
    expect((await billing.confirmPack(userId, sessionId)).data.state).toBe('paid');
  });

  it('that the bank returns gives none, and does not become a problem of the plan', async () => {
    const { userId, invoice, customer } = await payByDebit();
    await settle(invoice, 'failed');
    await deliverAll(customer, (events) => events);
    expect(await packs.packsOf(userId)).toEqual([]);
    expect((await billing.read(userId)).data.problem).toBeNull();
  });
});

describe('F14 a refund of a pack', () => {
  it('takes back its share of the credits, and all of them if it is full', async () => {
    const { userId, invoice } = await packs.buyPack();
    await packs.refund(invoice, 500);
    await billing.reconcile();
    await billing.reconcile();
    await packs.refund(invoice);
    await billing.reconcile();
    expect(await packs.states(userId)).toEqual([
      [1, 250],
      [2, 184],
      [3, 0],
    ]);
    expect(await packs.packsOf(userId)).toMatchObject([{ state: 'refunded', amount: 1_900 }]);
  });

  it('gives the credits back when the bank returns the refund, which raises an alert', async () => {
    const { userId, invoice } = await packs.buyPack();
    const { id } = await packs.refund(invoice);
    await billing.reconcile();
    await billing.sandbox.control('POST', `/refunds/${id}/fail`);
    await billing.reconcile();
    expect((await packs.states(userId)).at(-1)).toEqual([3, 250]);
    const alerts = await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin);
    expect(alerts.data).toMatchObject([{ kind: 'refund_failed', objectId: id, userId }]);
  });

  it.each([
    ['won', 250, 'paid'],
    ['lost', 0, 'disputed'],
  ] as const)(
    'by a dispute takes them while it is open; one that is %s leaves %i',
    async (end, left, state) => {
      const { userId, invoice } = await packs.buyPack();
      const dispute = await billing.sandbox.control<Stripe.Dispute>('POST', `/invoices/${invoice}/dispute`);
      await billing.reconcile();
      expect(await packs.packsOf(userId)).toMatchObject([{ paidCredits: 0, state: 'disputed' }]);
      expect((await billing.read(userId)).data.problem).toBeNull();
      await billing.sandbox.control('POST', `/disputes/${dispute.id}/close`, { status: end });
      await billing.reconcile();
      expect(await packs.packsOf(userId)).toMatchObject([{ paidCredits: left, state }]);
      const alerts = await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin);
      expect(alerts.data.map(({ kind }) => kind)).toContain('dispute_opened');
    },
  );
});

describe('a pack whose price moves to another at Stripe', () => {
  const LARGER = { credits: 300, amount: 1_900, currency: 'usd' };
  const move = () =>
    billing.api.prices.create({
      currency: LARGER.currency,
      unit_amount: LARGER.amount,
      lookup_key: 'shortlist_credit_pack',
      transfer_lookup_key: true,
      metadata: { pack: 'shortlist_credit_pack', credits: String(LARGER.credits) },
      product_data: { name: '300 credits' },
    });
  /** Stripe's price is remembered for a minute by each process. */
  const saleOf = (configured: typeof LARGER) =>
    createPackSale({ ...billing, stripe: createStripeGateway(billing.api, NO_OPTIONS), configured });

  it('is not sold until the configuration agrees', async () => {
    await move();
    const sale = saleOf(PACK);
    const logged = vi.spyOn(billing.log, 'error');
    expect(await sale.refresh()).toBe(true);
    expect(sale.currentOffer()).toBeNull();
    expect(logged).toHaveBeenCalledWith({ configured: PACK }, expect.stringContaining('PACK_CREDITS'));
    expect(await sale.getSellable().catch(codeOf)).toBe('billing.pack_not_offered');
  });

  it('closes the page that sells the former pack, and counts what an already paid page sold', async () => {
    const { userId, pack } = await packs.buyPack();
    const former = await packs.openPage(userId);
    await move();
    const parts = { ...billing, packSale: saleOf(LARGER), publicUrl: 'https://shortlist.test' };
    const user = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
    const current = billing.sessionIn(await openCheckout(parts, PACK_SALE, user));
    expect((await billing.api.checkout.sessions.retrieve(former)).status).toBe('expired');
    await billing.pay(current);
    expect((await billing.confirmPack(userId, current)).data.credits).toBe(300);
    expect((await packs.packsOf(userId)).map(({ credits }) => credits).toSorted()).toEqual([
      pack.credits,
      300,
    ]);
  });
});

describe('packs that are not sold', () => {
  it('do not affect anything else', async () => {
    const account = await openBilling({ isNewAccount: true });
    try {
      const offer = await account.call(packEndpoints.getPackOffer, {}, asService());
      expect(offer.data).toBeNull();
      const userId = uuidv7();
      expect(await account.openPackCheckout(userId).catch(codeOf)).toBe('billing.pack_not_offered');
      await account.account.createPrice({ brand: 'Maple', price: { amount: 5_900, currency: 'usd' } });
      await account.subscribe(userId);
      expect((await account.stateOf(userId)).plan).toBe('premium');
    } finally {
      await account.close();
    }
  });
});
