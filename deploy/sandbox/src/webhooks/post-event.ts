import type { Attempt } from './delivery.ts';

import type { SandboxClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Persistence } from '../persistence.ts';
import type { State } from '../state.ts';
import type { WebhookBehaviour } from './behaviour.ts';
import { signPayload } from './signature.ts';

/** As much of the sandbox as a delivery needs. */
export type DeliveryContext = {
  config: Config;
  clock: SandboxClock;
  random: () => number;
  state: State;
  webhooks: WebhookBehaviour;
  persistence: Persistence;
};

const TIMEOUT_MS = 10_000;

const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
};

export const postEvent = async (
  sender: DeliveryContext,
  eventId: string,
  stopped: AbortSignal,
): Promise<Attempt> => {
  const realNow = sender.clock.realNow();
  const { url } = sender.webhooks;
  const attempt: Attempt = { at: new Date(realNow).toISOString(), url };
  const payload = JSON.stringify(sender.state.events.get(eventId), null, 2);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        // Receivers compare the age of a signature with their own clock, so it carries real time.
        'stripe-signature': signPayload(payload, sender.config.webhookSecret, Math.floor(realNow / 1000)),
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stopped]),
    });
    await response.arrayBuffer();
    attempt.status = response.status;
  } catch (error) {
    attempt.error = explain(error);
  }
  return attempt;
};
