import { billingEndpoints } from '@shortlist/contracts/api/billing';
import type { CreditPack } from '@shortlist/contracts/api/packs';
import type { CreditPackChanged } from '@shortlist/contracts/events/billing';
import { asService } from '@shortlist/kit/http/http-client';
import { until } from '@shortlist/kit/testing/until';
import type { Stripe } from 'stripe';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { refreshSubscriber } from '../src/refresh/refresh-subscriber.ts';
import { type Billing, codeOf, openBilling, PACK, times } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const openPage = async (userId: string): Promise<string> =>
  billing.sessionIn((await billing.openPackCheckout(userId)).url);
/** A user who paid for a pack on an open page, which nobody has reported yet. */
const payPack = async (userId: string = uuidv7()) => {
  const sessionId = await openPage(userId);
  return { userId, sessionId, ...(await billing.pay(sessionId)) };
};
const buyPack = async (userId?: string) => {
  const paid = await payPack(userId);
  return { ...paid, pack: (await billing.confirmPack(paid.userId, paid.sessionId)).data };
};
const packsOf = async (userId: string): Promise<CreditPack[]> =>
  (await billing.call(billingEndpoints.listCreditPacks, { userId }, asService())).data;
const packEvents = async (userId: string): Promise<CreditPackChanged[]> => {
  await billing.emitted(userId);
  return billing.bus
    .published('billing.events')
    .filter(({ key }) => key === userId)
    .map(({ value }) => JSON.parse(value) as { type: string; data: CreditPackChanged })
    .filter(({ type }) => type === 'billing.CreditPackChanged.v1')
    .map(({ data }) => data);
};
const states = async (userId: string): Promise<[number, number][]> =>
  (await packEvents(userId)).map(({ version, paidCredits }) => [version, paidCredits]);
const refund = (invoice: string, amount?: number) =>
  billing.sandbox.control<Stripe.Refund>('POST', `/invoices/${invoice}/refund`, amount ? { amount } : {});
const planOf = async (userId: string): Promise<string> => (await billing.stateOf(userId)).plan;

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
    const { data } = await billing.call(billingEndpoints.getPackOffer, {}, asService());
    expect(data).toEqual(PACK);
  });

  it('is paid once on a page that names the user and the credits, by no promotion code', async () => {
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
    const { userId, pack } = await buyPack();
    expect(pack).toMatchObject({ ...PACK, version: 1, paidCredits: 250, state: 'paid' });
    expect(await packsOf(userId)).toEqual([pack]);
    expect(await billing.emitted(userId)).toEqual(['CreditPackChanged']);
    const { packId, version, credits, paidCredits, paidAt } = pack;
    expect(await packEvents(userId)).toEqual([{ packId, version, credits, paidCredits, paidAt }]);
    const { data } = await billing.read(userId);
    expect(data).toMatchObject({ plan: 'free', lastPayment: null, problem: null, periodEnd: null });
  });

  it('is confirmed to its payer alone, and only once it is paid', async () => {
    const userId = uuidv7();
    const sessionId = await openPage(userId);
    expect(await billing.confirmPack(userId, sessionId).catch(codeOf)).toBe('billing.not_paid');
    await billing.pay(sessionId);
    const { userId: other } = await buyPack();
    expect(await billing.confirmPack(other, sessionId).catch(codeOf)).toBe('billing.checkout_not_found');
    expect(await packsOf(userId)).toEqual([]);
    expect(await packsOf(other)).toHaveLength(1);
  });

  it('is one pack, whatever order its events arrive in and however often', async () => {
    const { userId, customer } = await payPack();
    await deliverAll(customer, (events) => events.toReversed());
    await deliverAll(customer, (events) => [...events, ...events]);
    await billing.reconcile();
    expect(await states(userId)).toEqual([[1, 250]]);
    expect(await packsOf(userId)).toHaveLength(1);
  });

  it('is found by reconciliation when no webhook arrives', async () => {
    const { userId } = await payPack();
    await billing.db.query(
      "INSERT INTO cursors (list, position) VALUES ('events', '2036-01-01T00:00:00.000Z')",
    );
    await billing.reconcile();
    expect(await states(userId)).toEqual([[1, 250]]);
  });

  it('has no credits while its invoice is open', async () => {
    const { userId } = await payPack();
    const readCustomer: typeof billing.stripe.readCustomer = async (id) => {
      const snapshot = await billing.stripe.readCustomer(id);
      return { ...snapshot, packs: snapshot.packs.map((invoice) => ({ ...invoice, status: 'open' })) };
    };
    const parts = { ...billing, stripe: { ...billing.stripe, readCustomer } };
    const origin = { by: 'test', reason: 'an open invoice', waitMs: 0 };
    await refreshSubscriber(parts, userId, origin);
    expect(await packsOf(userId)).toEqual([]);
    await refreshSubscriber(billing, userId, origin);
    expect(await states(userId)).toEqual([[1, 250]]);
  });

  it('bought by twenty clicks is one page; two bought one after the other are two', async () => {
    const userId = uuidv7();
    const pages = await Promise.all(times(20).map(() => openPage(userId)));
    expect(new Set(pages).size).toBe(1);
    await billing.pay(pages[0] ?? '');
    const second = await openPage(userId);
    expect(second).not.toBe(pages[0]);
    expect(await packsOf(userId)).toHaveLength(1);
    await billing.pay(second);
    await billing.confirmPack(userId, second);
    const packs = await packsOf(userId);
    expect(new Set(packs.map(({ packId }) => packId)).size).toBe(2);
    expect(await states(userId)).toEqual([
      [1, 250],
      [1, 250],
    ]);
  });

  it('is the same pack when it is recorded again after its rows were lost', async () => {
    const { userId, pack } = await buyPack();
    await billing.db.query('DELETE FROM credit_packs');
    await billing.reconcile();
    await refund((await billing.api.invoices.list()).data[0]?.id ?? '', 500);
    await billing.reconcile();
    expect((await packsOf(userId)).map(({ packId }) => packId)).toEqual([pack.packId]);
  });
});

describe('F13 the bank debit of a pack', () => {
  const payByDebit = async () => {
    const userId = uuidv7();
    const sessionId = await openPage(userId);
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
    expect(await packsOf(userId)).toEqual([]);
    await settle(invoice, 'succeeded');
    await deliverAll(customer, (events) => events);
    expect(await states(userId)).toEqual([[1, 250]]);
    expect((await billing.confirmPack(userId, sessionId)).data.state).toBe('paid');
  });

  it('that the bank returns gives none, and is no problem of the plan', async () => {
    const { userId, invoice, customer } = await payByDebit();
    await settle(invoice, 'failed');
    await deliverAll(customer, (events) => events);
    expect(await packsOf(userId)).toEqual([]);
    expect((await billing.read(userId)).data.problem).toBeNull();
  });
});

describe('F14 the money of a pack that goes back', () => {
  it('takes back its share of the credits, and all of them with the rest', async () => {
    const { userId, invoice } = await buyPack();
    await refund(invoice, 500);
    await billing.reconcile();
    await billing.reconcile();
    await refund(invoice);
    await billing.reconcile();
    expect(await states(userId)).toEqual([
      [1, 250],
      [2, 184],
      [3, 0],
    ]);
    expect(await packsOf(userId)).toMatchObject([{ state: 'refunded', amount: 1_900 }]);
  });

  it('gives the credits back when the bank returns the refund, which raises an alert', async () => {
    const { userId, invoice } = await buyPack();
    const { id } = await refund(invoice);
    await billing.reconcile();
    await billing.sandbox.control('POST', `/refunds/${id}/fail`);
    await billing.reconcile();
    expect((await states(userId)).at(-1)).toEqual([3, 250]);
    const alerts = await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin);
    expect(alerts.data).toMatchObject([{ kind: 'refund_failed', objectId: id, userId }]);
  });

  it.each([
    ['won', 250, 'paid'],
    ['lost', 0, 'disputed'],
  ] as const)(
    'by a dispute takes them while it is open; one that is %s leaves %i',
    async (end, left, state) => {
      const { userId, invoice } = await buyPack();
      const dispute = await billing.sandbox.control<Stripe.Dispute>('POST', `/invoices/${invoice}/dispute`);
      await billing.reconcile();
      expect(await packsOf(userId)).toMatchObject([{ paidCredits: 0, state: 'disputed' }]);
      expect((await billing.read(userId)).data.problem).toBeNull();
      await billing.sandbox.control('POST', `/disputes/${dispute.id}/close`, { status: end });
      await billing.reconcile();
      expect(await packsOf(userId)).toMatchObject([{ paidCredits: left, state }]);
      const alerts = await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin);
      expect(alerts.data.map(({ kind }) => kind)).toContain('dispute_opened');
    },
  );
});

describe('F15 a pack beside a plan', () => {
  it('is bought by a premium user, whose plan its refund and its dispute leave alone', async () => {
    const { userId } = await billing.subscribe();
    const before = (await billing.stateOf(userId)).paid;
    const first = await buyPack(userId);
    const second = await buyPack(userId);
    await refund(first.invoice);
    const dispute = await billing.sandbox.control<Stripe.Dispute>(
      'POST',
      `/invoices/${second.invoice}/dispute`,
    );
    await billing.sandbox.control('POST', `/disputes/${dispute.id}/close`, { status: 'lost' });
    await billing.reconcile();
    const states = (await packsOf(userId)).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['disputed', 'refunded']);
    expect((await billing.stateOf(userId)).paid).toEqual(before);
    expect((await billing.read(userId)).data).toMatchObject({
      plan: 'premium',
      renews: true,
      lastPayment: { amount: 5_900 },
    });
  });

  it('keeps its credits when the plan is refunded and ends', async () => {
    const { userId, invoice } = await billing.subscribe();
    await buyPack(userId);
    await refund(invoice);
    await billing.reconcile();
    expect(await planOf(userId)).toBe('free');
    expect(await states(userId)).toEqual([[1, 250]]);
  });

  it('can be paid on a page that is open at the same time as that of the plan', async () => {
    const userId = await billing.register();
    const planPage = billing.sessionIn((await billing.openCheckout(userId)).url);
    const packPage = await openPage(userId);
    await billing.pay(planPage);
    await billing.pay(packPage);
    expect(await billing.confirm(userId, packPage).catch(codeOf)).toBe('billing.checkout_not_found');
    expect(await billing.confirmPack(userId, planPage).catch(codeOf)).toBe('billing.checkout_not_found');
    await billing.confirm(userId, planPage);
    await billing.confirmPack(userId, packPage);
    expect([await planOf(userId), (await packsOf(userId)).length]).toEqual(['premium', 1]);
  });

  it('stays for sale on its page when an admin grants a plan, ends it, or the user ends it', async () => {
    const userId = await billing.register();
    const sessionId = await openPage(userId);
    await billing.grant(userId);
    await billing.revoke(userId);
    const { userId: paying } = await billing.subscribe();
    const other = await openPage(paying);
    await billing.revoke(paying, { when: 'period_end' });
    await billing.revoke(paying, { when: 'now' });
    await billing.pay(sessionId);
    await billing.pay(other);
    expect((await billing.confirmPack(userId, sessionId)).data.paidCredits).toBe(250);
    expect((await billing.confirmPack(paying, other)).data.paidCredits).toBe(250);
    expect(await planOf(paying)).toBe('free');
  });
});

describe('packs that are not sold', () => {
  it('leave all else as it is', async () => {
    const account = await openBilling({ isNewAccount: true });
    try {
      const offer = await account.call(billingEndpoints.getPackOffer, {}, asService());
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
