// The messages of webhooks: the events that cause one, and its payload.
import type { SentEvent, WebhookEvent } from '@shortlist/contracts/api/webhooks';
import * as billing from '@shortlist/contracts/events/billing';
import * as credits from '@shortlist/contracts/events/credits';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import { planAt } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { change, sql } from '@shortlist/kit/data/sql';
import type { Clock } from '@shortlist/kit/process/clock';
import { isDeleted } from '../erase-user.ts';
import { messageEntity } from './queries.ts';

/** `cause`: only one of several events with the same cause is sent. */
type Content = { event: WebhookEvent; data: object; cause: string };
type Source = { type: string; compose: (received: CloudEvent<never>, now: Date) => Content };

const source = <Data>(
  event: EventType<Data>,
  compose: (received: CloudEvent<Data>, now: Date) => Content,
): Source => ({
  type: event.type,
  compose, // sources have different data; each is called with its own
});

/** `available` counts all buckets; a reset, which only concerns the plan, lacks it. */
const creditSource = <Data extends credits.CreditWindowData & { available?: number }>(
  event: EventType<Data>,
  name: WebhookEvent,
): Source =>
  source(event, ({ id, data: { plan, limit, used, available, windowStart, windowEnd } }) => ({
    event: name,
    data: { plan, limit, used, available, windowStart, windowEnd },
    cause: id,
  }));

/** Several events may have the same plan state, which its version identifies. */
const planSource = <Data extends billing.WithPlanState>(event: EventType<Data>): Source =>
  source(event, ({ data: { planState } }, now) => {
    const { plan, endsAt } = planAt(planState, now);
    const { version } = planState;
    return { event: 'plan.changed', data: { plan, endsAt, version }, cause: String(version) };
  });

const balanceSource = source(credits.balanceChanged, ({ id, data: { kind, added, available, endsAt } }) => ({
  event: added > 0 ? 'credits.added' : 'credits.removed',
  data: { source: kind, credits: Math.abs(added), available, endsAt },
  cause: id,
}));

const SOURCES: readonly Source[] = [
  creditSource(credits.creditsLow, 'credits.low'),
  creditSource(credits.creditsExhausted, 'credits.exhausted'),
  creditSource(credits.creditsReset, 'credits.reset'),
  balanceSource,
  planSource(billing.paymentSucceeded),
  planSource(billing.paymentRefunded),
  planSource(billing.planGranted),
  planSource(billing.planRevoked),
  planSource(billing.subscriptionChanged),
  source(billing.paymentFailed, ({ id, data: { attempt, nextAttemptAt } }) => ({
    event: 'payment.failed',
    data: { attempt, nextAttemptAt },
    cause: id,
  })),
];

type NewMessage = { id: string; userId: string; event: SentEvent; data: object; at: Date };

/** The body of a message according to Standard Webhooks. */
const payloadOf = ({ userId, event, data, at }: NewMessage): string =>
  JSON.stringify({ type: event, timestamp: at.toISOString(), data: { userId, ...data } });

/** Stores a message for the user's webhooks. Returns false if one with this cause exists, or the user was deleted. */
export const insertMessage = async (tx: Tx, message: NewMessage & { cause: string }): Promise<boolean> => {
  const { id, userId, event, cause, at: createdAt } = message;
  const row = { id, userId, event, cause, payload: payloadOf(message), createdAt, spreadAt: null };
  if ((await insertIfAbsent(tx, messageEntity, row)) === 0) return false;
  const removing = sql`DELETE FROM webhook_messages WHERE id = ${id} AND ${isDeleted(userId)}`;
  return (await change(tx, removing)).affectedRows === 0;
};

/** Stores the message that an event causes. Returns its id, or null if it causes none or already did. */
export const storeMessageOf = async (
  tx: Tx,
  received: CloudEvent<unknown>,
  clock: Clock,
): Promise<string | null> => {
  const source = SOURCES.find(({ type }) => type === received.type);
  if (source === undefined) return null;
  // Receivers recognise the id, also after a restore of this database.
  const { id, subject: userId, time } = received;
  const message = {
    id,
    userId,
    at: new Date(time),
    ...source.compose(received as CloudEvent<never>, clock()),
  };
  return (await insertMessage(tx, message)) ? id : null;
};
