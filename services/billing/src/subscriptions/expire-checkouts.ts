import { hours } from '@shortlist/contracts/durations';
import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { StripeGateway } from '../stripe/gateway.ts';
import type { CheckoutKind } from '../stripe/checkouts.ts';
import { closeIntents, listOpenIntents } from './checkout-intent-queries.ts';

type Parts = { db: Db; clock: Clock; stripe: Pick<StripeGateway, 'listOpenCheckouts' | 'expireCheckout'> };

/** After this time Stripe no longer works on an order whose response was lost. */
const LOST_ORDER_MS = hours(1);

const ALL = ['plan', 'pack'] as const;

/**
 * Closes every checkout of these kinds that a user could still pay: the sessions that Stripe lists as open for the customer, among them
 * those whose response was lost. Returns false while an order may still lead to a session that Stripe does not list yet. The caller owns
 * the user's lease.
 */
export const expireCheckouts = async (
  { db, clock, stripe }: Parts,
  { userId, customerId }: { userId: string; customerId: string | null },
  kinds: readonly CheckoutKind[] = ALL,
): Promise<boolean> => {
  const intents = await listOpenIntents(db.manager, userId, kinds);
  const listed = customerId === null ? [] : await stripe.listOpenCheckouts(customerId);
  const sessions = listed.filter(({ kind }) => kinds.includes(kind));
  for (const { sessionId } of sessions) await stripe.expireCheckout(sessionId);
  const known = new Set(intents.map(({ sessionId }) => sessionId));
  const lost = new Set(
    sessions.filter(({ sessionId }) => !known.has(sessionId)).map((session) => session.kind),
  );
  const orderedBefore = new Date(clock().getTime() - LOST_ORDER_MS);
  const isSettled = ({ kind, sessionId, createdAt }: (typeof intents)[number]): boolean =>
    customerId === null || sessionId !== null || lost.has(kind) || createdAt < orderedBefore;
  const settled = intents.filter(isSettled);
  await closeIntents(
    db.manager,
    settled.map(({ id }) => id),
  );
  return settled.length === intents.length;
};
