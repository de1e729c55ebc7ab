import { nextAttemptAt } from './backoff.rules.ts';
import { isDropped } from './behaviour.ts';
import type { Attempt, Delivery } from './delivery.ts';
import { postEvent, type DeliveryContext } from './post-event.ts';
import { createQueue, type Queue } from './queue.ts';

export type Deliveries = {
  begin(eventId: string): void;
  /** Sends once more, whatever the behaviour says, and tells how it went. */
  resend(eventId: string): Promise<Attempt>;
  resume(): void;
  /** Drops what waits; `forever` when the sandbox itself ends. */
  stop(forever?: 'forever'): void;
};

const SHUFFLE_WINDOW_MS = 250;

// A hearer that hangs for the whole time limit must not hold up the events of everybody else.
const MAX_CONCURRENT_DELIVERIES = 10;

type Post = {
  sender: () => DeliveryContext;
  queue: Queue;
  isClosed: boolean;
};

// A delivery under way while everything is forgotten must not come back by a retry.
const isKnown = ({ sender, isClosed }: Post, delivery: Delivery): boolean =>
  !isClosed && sender().state.deliveries.get(delivery.event) === delivery;

const isAccepted = (attempt: Attempt): boolean =>
  attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;

const settle = (sender: DeliveryContext, delivery: Delivery): void => {
  delivery.status = 'delivered';
  delivery.nextAttemptAt = null;
  const event = sender.state.events.get(delivery.event);
  if (event) event.pending_webhooks = 0;
};

const send = async ({ sender, queue }: Post, delivery: Delivery): Promise<Attempt> => {
  const attempt = await postEvent(sender(), delivery.event, queue.signal());
  delivery.attempts.push(attempt);
  if (isAccepted(attempt)) settle(sender(), delivery);
  sender().persistence.changed();
  return attempt;
};

const sendAndRetry = async (post: Post, delivery: Delivery): Promise<void> => {
  if (!isKnown(post, delivery)) return;
  const attempt = await send(post, delivery);
  if (isAccepted(attempt) || delivery.status !== 'pending' || !isKnown(post, delivery)) return;
  delivery.tries += 1;
  const { firstAt, tries } = delivery;
  delivery.nextAttemptAt = nextAttemptAt({ firstAt, attempts: tries, now: post.sender().clock.realNow() });
  if (delivery.nextAttemptAt === null) delivery.status = 'given_up';
  else schedule(post, delivery);
};

const schedule = (post: Post, delivery: Delivery): void => {
  const wait = (delivery.nextAttemptAt ?? 0) - post.sender().clock.realNow();
  post.queue.add(wait, () => sendAndRetry(post, delivery));
};

const begin = (post: Post, eventId: string): void => {
  const { webhooks, random, clock, state } = post.sender();
  const wait = () => webhooks.delayMs + (webhooks.shuffle ? random() * SHUFFLE_WINDOW_MS : 0);
  const isLost = isDropped(webhooks, random);
  const delivery: Delivery = {
    event: eventId,
    status: isLost ? 'dropped' : 'pending',
    attempts: [],
    tries: 0,
    firstAt: clock.realNow(),
    nextAttemptAt: isLost ? null : clock.realNow() + wait(),
  };
  state.deliveries.set(eventId, delivery);
  if (isLost) return;
  schedule(post, delivery);
  for (let copy = 0; copy < webhooks.duplicate; copy += 1) {
    post.queue.add(wait(), async () => void (await send(post, delivery)));
  }
};

export const createDeliveries = (sender: () => DeliveryContext): Deliveries => {
  const post: Post = { sender, queue: createQueue(MAX_CONCURRENT_DELIVERIES), isClosed: false };
  return {
    begin: (eventId) => begin(post, eventId),
    resend: async (eventId) => {
      const delivery = sender().state.deliveries.get(eventId);
      if (!delivery) throw new Error(`There is no delivery of ${eventId}.`);
      return send(post, delivery);
    },
    resume: () => {
      for (const delivery of sender().state.deliveries.values()) {
        if (delivery.status === 'pending') schedule(post, delivery);
      }
    },
    stop: (forever) => {
      post.isClosed = forever !== undefined;
      post.queue.clear();
    },
  };
};
