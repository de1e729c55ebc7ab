// What tests of packs do and read: buying, refunding, and the states of a user's packs.
import { type CreditPack, packEndpoints } from '@shortlist/contracts/api/billing';
import { creditPackChanged, type CreditPackChanged } from '@shortlist/contracts/events/billing';
import { asService } from '@shortlist/kit/http/http-client';
import type { Stripe } from 'stripe';
import { uuidv7 } from 'uuidv7';
import type { Billing } from './support.ts';

export const packsIn = (billing: Billing) => {
  const openPage = async (userId: string): Promise<string> =>
    billing.sessionIn((await billing.openPackCheckout(userId)).url);
  /** A user who paid for a pack on an open page, which has not been reported yet. */
  const payPack = async (userId: string = uuidv7()) => {
    const sessionId = await openPage(userId);
    return { userId, sessionId, ...(await billing.pay(sessionId)) };
  };
  const buyPack = async (userId?: string) => {
    const paid = await payPack(userId);
    return { ...paid, pack: (await billing.confirmPack(paid.userId, paid.sessionId)).data };
  };
  const packsOf = async (userId: string): Promise<CreditPack[]> =>
    (await billing.call(packEndpoints.listCreditPacks, { userId }, asService())).data;
  const packEvents = (userId: string): Promise<CreditPackChanged[]> =>
    billing.emittedData(userId, creditPackChanged);
  /** The version and the paid credits of each state that was emitted. */
  const states = async (userId: string): Promise<[number, number][]> =>
    (await packEvents(userId)).map(({ version, paidCredits }) => [version, paidCredits]);
  const refund = (invoice: string, amount?: number) =>
    billing.sandbox.control<Stripe.Refund>('POST', `/invoices/${invoice}/refund`, amount ? { amount } : {});

  return { openPage, payPack, buyPack, packsOf, packEvents, states, refund };
};
