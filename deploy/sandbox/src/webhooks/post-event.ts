import { createHmac } from 'node:crypto';
import Joi from 'joi';
import { HOUR } from '../model/billing-cycle.rules.ts';
import type { AccountKeys } from '../config.ts';
import type { Attempt, Delivery, Persistence, SandboxClock, State } from '../state.ts';

/** Implements Stripe's v1 scheme, https://docs.stripe.com/webhooks#verify-manually. `at` is real time in Unix seconds. */
const signPayload = (payload: string, secrets: readonly string[], at: number): string => {
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex'),
  );
  return [`t=${at}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
};

/** Where deliveries go and how they fail: dropped (always or with a probability), duplicated, reordered, delayed. */
export type WebhookBehaviour = {
  /** Null when only endpoints created through the API receive events. */
  url: string | null;
  drop: boolean | number;
  duplicate: number;
  shuffle: boolean;
  delayMs: number;
};

export const DEFAULT_BEHAVIOUR = { drop: false, duplicate: 0, shuffle: false, delayMs: 0 };

export const behaviourSchema = Joi.object<Partial<WebhookBehaviour>>({
  url: Joi.string().uri({ scheme: ['http', 'https'] }),
  drop: Joi.alternatives(Joi.boolean(), Joi.number().min(0).max(1)),
  duplicate: Joi.number().integer().min(0).max(1000),
  shuffle: Joi.boolean(),
  delayMs: Joi.number()
    .integer()
    .min(0)
    .max(HOUR * 1000),
});

export const isDropped = (behaviour: WebhookBehaviour, random: () => number): boolean =>
  typeof behaviour.drop === 'number' ? random() < behaviour.drop : behaviour.drop;

/** The part of the context that a delivery uses. */
export type DeliveryContext = {
  keys: AccountKeys;
  clock: SandboxClock;
  random: () => number;
  state: State;
  webhooks: WebhookBehaviour;
  persistence: Persistence;
};

const TIMEOUT_MS = 10_000;

const describeFailure = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} s`;
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
};

type Target = { url: string; secrets: readonly string[] };

const targetOf = (context: DeliveryContext, { endpoint }: Delivery): Target | null => {
  const { webhooks, keys, state } = context;
  if (!endpoint) return webhooks.url === null ? null : { url: webhooks.url, secrets: keys.webhooks };
  const found = state.webhookEndpoints.get(endpoint);
  return found ? { url: found.url, secrets: [found.secret ?? ''] } : null;
};

export const postEvent = async (
  context: DeliveryContext,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Attempt> => {
  const realNow = context.clock.realNow();
  const target = targetOf(context, delivery);
  const at = new Date(realNow).toISOString();
  if (target === null) return { at, url: '', error: 'the endpoint was deleted' };
  const { url, secrets } = target;
  const attempt: Attempt = { at, url };
  const payload = JSON.stringify(context.state.events.get(delivery.event), null, 2);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        // Receivers check the age of the signature against their own clock, so the signature uses real time.
        'stripe-signature': signPayload(payload, secrets, Math.floor(realNow / 1000)),
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]),
    });
    await response.arrayBuffer();
    attempt.status = response.status;
  } catch (error) {
    attempt.error = describeFailure(error);
  }
  return attempt;
};
