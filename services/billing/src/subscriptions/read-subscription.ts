import type { SubscriptionReply } from '@shortlist/contracts/api/billing';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Db } from '@shortlist/kit/data/db';
import { findLastPayment } from '../invoices/queries.ts';
import type { Offer } from '../offer/offer.ts';
import { presentSubscription } from './present.ts';
import { findSubscriber } from './queries.ts';

export type ReadParts = { db: Db; clock: Clock; offer: Pick<Offer, 'currentPrice'> };

export const readSubscription = async (
  { db, clock, offer }: ReadParts,
  userId: string,
): Promise<SubscriptionReply> => {
  const [subscriber, lastPayment] = await Promise.all([
    findSubscriber(db.manager, userId),
    findLastPayment(db.manager, userId),
  ]);
  return presentSubscription(subscriber, { lastPayment, offered: offer.currentPrice(), now: clock() });
};
