import { DAY, HOUR } from '../model/billing-cycle.rules.ts';
import { type Attempt, type Delivery, endpointsFor } from '../state.ts';
import { type DeliveryContext, isDropped, postEvent } from './post-event.ts';
import { createQueue, type Queue } from './queue.ts';

/**
 * A delivery without a 2xx response is retried after 1 s, 5 s, 30 s, 2 min, 10 min, 1 h, 3 h and then every 12 h,
 * until three days after the first attempt.
 */
const RETRY_DELAYS_SECONDS = [1, 5, 30, 120, 600, HOUR, 3 * HOUR];
const FINAL_DELAY_SECONDS = 12 * HOUR;
const MAX_AGE_SECONDS = 3 * DAY;

type DeliveryHistory = {
  firstAt: number;
  attempts: number;
  now: number;
};

/** Returns the time of the next attempt in milliseconds, or null when the retries are exhausted. */
export const nextAttemptAt = ({ firstAt, attempts, now }: DeliveryHistory): number | null => {
  const next = now + (RETRY_DELAYS_SECONDS[attempts - 1] ?? FINAL_DELAY_SECONDS) * 1000;
  return next > firstAt + MAX_AGE_SECONDS * 1000 ? null : next;
};

export type Deliveries = {
  enqueue(eventId: string): void;
  /** Sends the event once, regardless of the configured behaviour, and returns the attempt. */
  resend(eventId: string): Promise<Attempt>;
  resume(): void;
  /** Cancels all waiting and running deliveries. */
  cancel(): void;
  /** Cancels all deliveries and schedules no more retries. */
  close(): void;
};

const SHUFFLE_WINDOW_MS = 250;

// One request that hangs until its timeout must not delay the other deliveries.
const MAX_CONCURRENT_DELIVERIES = 10;

type Dispatcher = {
  getContext: () => DeliveryContext;
  queue: Queue;
  isClosed: boolean;
};

const keyOf = ({ event, endpoint }: Pick<Delivery, 'event' | 'endpoint'>): string =>
  endpoint ? `${event}/${endpoint}` : event;

// A delivery that was running during a reset must not schedule a retry.
const isCurrent = ({ getContext, isClosed }: Dispatcher, delivery: Delivery): boolean =>
  !isClosed && getContext().state.deliveries.get(keyOf(delivery)) === delivery;

const isAccepted = (attempt: Attempt): boolean =>
  attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;

const markDelivered = (context: DeliveryContext, delivery: Delivery): void => {
  delivery.status = 'delivered';
  delivery.nextAttemptAt = null;
  const event = context.state.events.get(delivery.event);
  if (event) event.pending_webhooks = 0;
};

const send = async ({ getContext, queue }: Dispatcher, delivery: Delivery): Promise<Attempt> => {
  const attempt = await postEvent(getContext(), delivery, queue.signal());
  delivery.attempts.push(attempt);
  if (isAccepted(attempt)) markDelivered(getContext(), delivery);
  getContext().persistence.scheduleSave();
  return attempt;
};

const sendAndRetry = async (dispatcher: Dispatcher, delivery: Delivery): Promise<void> => {
  if (!isCurrent(dispatcher, delivery)) return;
  const attempt = await send(dispatcher, delivery);
  if (isAccepted(attempt) || delivery.status !== 'pending' || !isCurrent(dispatcher, delivery)) return;
  delivery.tries += 1;
  const { firstAt, tries } = delivery;
  delivery.nextAttemptAt = nextAttemptAt({
    firstAt,
    attempts: tries,
    now: dispatcher.getContext().clock.realNow(),
  });
  if (delivery.nextAttemptAt === null) delivery.status = 'given_up';
  else schedule(dispatcher, delivery);
};

const schedule = (dispatcher: Dispatcher, delivery: Delivery): void => {
  const wait = (delivery.nextAttemptAt ?? 0) - dispatcher.getContext().clock.realNow();
  dispatcher.queue.add(wait, () => sendAndRetry(dispatcher, delivery));
};

const targetsOf = ({ webhooks, state }: DeliveryContext, eventId: string): (string | null)[] => {
  const created = endpointsFor(state, state.events.get(eventId)?.type ?? '').map(({ id }) => id);
  return webhooks.url === null ? created : [null, ...created];
};

const enqueue = (dispatcher: Dispatcher, eventId: string): void => {
  for (const endpoint of targetsOf(dispatcher.getContext(), eventId))
    enqueueTo(dispatcher, { event: eventId, endpoint });
};

type NewDelivery = Pick<Delivery, 'event' | 'endpoint'>;

const enqueueTo = (dispatcher: Dispatcher, { event, endpoint }: NewDelivery): void => {
  const { webhooks, random, clock, state } = dispatcher.getContext();
  const wait = () => webhooks.delayMs + (webhooks.shuffle ? random() * SHUFFLE_WINDOW_MS : 0);
  const drop = isDropped(webhooks, random);
  const delivery: Delivery = {
    event,
    endpoint,
    status: drop ? 'dropped' : 'pending',
    attempts: [],
    tries: 0,
    firstAt: clock.realNow(),
    nextAttemptAt: drop ? null : clock.realNow() + wait(),
  };
  state.deliveries.set(keyOf(delivery), delivery);
  if (drop) return;
  schedule(dispatcher, delivery);
  for (let copy = 0; copy < webhooks.duplicate; copy += 1) {
    dispatcher.queue.add(wait(), async () => void (await send(dispatcher, delivery)));
  }
};

export const createDeliveries = (getContext: () => DeliveryContext): Deliveries => {
  const dispatcher: Dispatcher = {
    getContext,
    queue: createQueue(MAX_CONCURRENT_DELIVERIES),
    isClosed: false,
  };
  return {
    enqueue: (eventId) => enqueue(dispatcher, eventId),
    resend: async (eventId) => {
      const delivery = getContext().state.deliveries.get(eventId);
      if (!delivery) throw new Error(`There is no delivery of ${eventId}.`);
      return send(dispatcher, delivery);
    },
    resume: () => {
      for (const delivery of getContext().state.deliveries.values()) {
        if (delivery.status === 'pending') schedule(dispatcher, delivery);
      }
    },
    cancel: () => dispatcher.queue.clear(),
    close: () => {
      dispatcher.isClosed = true;
      dispatcher.queue.clear();
    },
  };
};
