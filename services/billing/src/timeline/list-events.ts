import type { TimelineLists } from '@shortlist/audit/timeline';
import type { Tx } from '@shortlist/kit/data/db';
import { listNewestInvoices } from '../records/invoice-queries.ts';
import { listSubscriptionsOf, type SubscriptionRow } from '../records/subscription-queries.ts';
import { listNumberedDisputes, listRefundsOf } from './queries.ts';

type Price = Pick<SubscriptionRow, 'priceAmount' | 'priceCurrency' | 'priceInterval'>;

/** What has happened to an object: nothing without a time. */
const happened = <What extends string>(of: string, what: What, at: Date | null) =>
  at === null ? [] : [{ id: `${of}:${what}`, at: at.toISOString(), what }];

const endOf = (status: string): 'won' | 'lost' | 'closed' =>
  status === 'won' || status === 'lost' ? status : 'closed';

/** A subscription that was recorded before there were years is of a month. */
const priceOf = ({ priceAmount, priceCurrency, priceInterval }: Price) => ({
  amount: priceAmount,
  currency: priceCurrency,
  interval: priceInterval ?? 'month',
});

/** A user's payments and what follows from them. A page reads them all: there are as many rows as payments. */
export const timelineLists = (tx: Tx): TimelineLists => ({
  payment: async ({ userId }) =>
    (await listNewestInvoices(tx, userId)).flatMap(
      ({ invoiceId, number, amount, currency, credits, paidAt, failedAt }) =>
        [...happened(invoiceId, 'paid', paidAt), ...happened(invoiceId, 'failed', failedAt)].map(
          ({ what, ...entry }) => ({
            ...entry,
            payment: { what, invoiceId, number, amount, currency, credits },
          }),
        ),
    ),

  refund: async ({ userId }) =>
    (await listRefundsOf(tx, userId)).flatMap(({ refundId, createdAt, failedAt, ...refund }) =>
      [...happened(refundId, 'refunded', createdAt), ...happened(refundId, 'failed', failedAt)].map(
        ({ what, ...entry }) => ({ ...entry, refund: { what, ...refund } }),
      ),
    ),

  dispute: async ({ userId }) =>
    (await listNumberedDisputes(tx, userId)).flatMap(
      ({ disputeId, status, openedAt, closedAt, ...dispute }) =>
        [...happened(disputeId, 'opened', openedAt), ...happened(disputeId, endOf(status), closedAt)].map(
          ({ what, ...entry }) => ({ ...entry, dispute: { what, ...dispute } }),
        ),
    ),

  subscription: async ({ userId }) => {
    const subscriptions = await listSubscriptionsOf(tx, userId);
    // One whose first payment was not made has not started.
    const started = subscriptions.filter(({ status }) => !status.startsWith('incomplete'));
    return started.flatMap(({ subscriptionId, startedAt, canceledAt, endedAt, ...price }) =>
      [
        ...happened(subscriptionId, 'started', startedAt),
        ...happened(subscriptionId, 'canceled', canceledAt),
        ...happened(subscriptionId, 'ended', endedAt),
      ].map(({ what, ...entry }) => ({ ...entry, subscription: { what, ...priceOf(price) } })),
    );
  },
});
