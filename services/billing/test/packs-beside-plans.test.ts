import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { NO_PLAN } from '@shortlist/contracts/plan';
import { asService } from '@shortlist/kit/http/http-client';
import type { Stripe } from 'stripe';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { packsIn } from './pack-support.ts';
import { type Billing, codeOf, openBilling } from './support.ts';

let billing: Billing;
let packs: ReturnType<typeof packsIn>;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
  packs = packsIn(billing);
});
afterAll(() => billing.close());

const planOf = async (userId: string): Promise<string> => (await billing.stateOf(userId)).plan;

describe('F15 a pack in addition to a plan', () => {
  it('is bought by a premium user, and its refund and its dispute do not affect the plan', async () => {
    const { userId } = await billing.subscribe();
    const before = (await billing.stateOf(userId)).paid;
    const first = await packs.buyPack(userId);
    const second = await packs.buyPack(userId);
    await packs.refund(first.invoice);
    const dispute = await billing.sandbox.control<Stripe.Dispute>(
      'POST',
      `/invoices/${second.invoice}/dispute`,
    );
    await billing.sandbox.control('POST', `/disputes/${dispute.id}/close`, { status: 'lost' });
    await billing.reconcile();
    const found = (await packs.packsOf(userId)).map(({ state }) => state);
    expect(found.toSorted()).toEqual(['disputed', 'refunded']);
    expect((await billing.stateOf(userId)).paid).toEqual(before);
    expect((await billing.read(userId)).data).toMatchObject({
      plan: 'premium',
      renews: true,
      lastPayment: { amount: 5_900 },
    });
  });

  it('is read by credits together with the plan, with the same data as the events', async () => {
    const { userId } = await billing.subscribe();
    const { pack } = await packs.buyPack(userId);
    const read = (user: string) =>
      billing.call(billingEndpoints.getCreditSources, { userId: user }, asService());
    const { planState } = await billing.read(userId);
    expect(planState.version).toBeGreaterThan(0);
    expect(await read(userId)).toEqual({ data: { planState, packs: [pack] } });
    expect(await read(uuidv7())).toEqual({ data: { planState: NO_PLAN, packs: [] } });
  });

  it('keeps its credits when the plan is refunded and ends', async () => {
    const { userId, invoice } = await billing.subscribe();
    await packs.buyPack(userId);
    await packs.refund(invoice);
    await billing.reconcile();
    expect(await planOf(userId)).toBe('free');
    expect(await packs.states(userId)).toEqual([[1, 250]]);
  });

  it('can be paid on a page that is open at the same time as that of the plan', async () => {
    const userId = await billing.register();
    const planPage = billing.sessionIn((await billing.openCheckout(userId)).url);
    const packPage = await packs.openPage(userId);
    await billing.pay(planPage);
    await billing.pay(packPage);
    expect(await billing.confirm(userId, packPage).catch(codeOf)).toBe('billing.checkout_not_found');
    expect(await billing.confirmPack(userId, planPage).catch(codeOf)).toBe('billing.checkout_not_found');
    await billing.confirm(userId, planPage);
    await billing.confirmPack(userId, packPage);
    expect([await planOf(userId), (await packs.packsOf(userId)).length]).toEqual(['premium', 1]);
  });

  it('stays payable on its page when an admin grants or ends a plan, or the user ends it', async () => {
    const userId = await billing.register();
    const sessionId = await packs.openPage(userId);
    await billing.grant(userId);
    await billing.revoke(userId);
    const { userId: paying } = await billing.subscribe();
    const other = await packs.openPage(paying);
    await billing.revoke(paying, { when: 'period_end' });
    await billing.revoke(paying, { when: 'now' });
    await billing.pay(sessionId);
    await billing.pay(other);
    expect((await billing.confirmPack(userId, sessionId)).data.paidCredits).toBe(250);
    expect((await billing.confirmPack(paying, other)).data.paidCredits).toBe(250);
    expect(await planOf(paying)).toBe('free');
  });
});
