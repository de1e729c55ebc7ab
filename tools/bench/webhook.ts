import { createHmac, randomUUID } from 'node:crypto';
import type { System } from '@shortlist/local/system';
import { atConstantRate, describeTimes, type Print, timed } from './measure.ts';
import { selectOne, withSystem } from './surroundings.ts';

const RATE = 500;
const SECONDS = 10;
const BURST = 1_000;

/** A new event as Stripe delivers it, with its signature. */
export const signedEvent = (secret: string, { type, object }: { type: string; object: object }) => {
  const created = Math.floor(Date.now() / 1000);
  const event = { id: `evt_${randomUUID()}`, object: 'event', type, created, livemode: false };
  const body = JSON.stringify({ ...event, data: { object } });
  const signature = createHmac('sha256', secret).update(`${created}.${body}`).digest('hex');
  const headers = { 'stripe-signature': `t=${created},v1=${signature}`, 'content-type': 'application/json' };
  return { body, headers };
};

// An event type that is stored and then ignored, so that only the intake is measured.
const IGNORED_EVENT = {
  type: 'customer.updated',
  object: { id: 'cus_bench', object: 'customer', padding: 'x'.repeat(2_000) },
};

const deliver = ({ urls, secrets }: System): Promise<number> => {
  const event = signedEvent(secrets.STRIPE_WEBHOOK_SECRET, IGNORED_EVENT);
  return timed(async () => {
    const { status } = await fetch(`${urls.billing}/webhooks/stripe`, { method: 'POST', ...event });
    if (status !== 200) throw new Error(`a delivery was refused with ${status}`);
  });
};

/** P8 Measures the webhook intake at 500 deliveries per second, and a burst of 1,000. */
export const benchWebhook = (print: Print): Promise<void> =>
  withSystem({ billing: { LOG_LEVEL: 'warn' } }, async (system) => {
    const send = (): Promise<number> => deliver(system);
    await atConstantRate({ perSecond: RATE, seconds: 3 }, send); // warm-up
    const times = await atConstantRate({ perSecond: RATE, seconds: SECONDS }, send);
    print(`P8 ${RATE}/s for ${SECONDS} s: ${describeTimes(times)}, none refused`);
    const ms = await timed(() => Promise.all(Array.from({ length: BURST }, send)));
    print(`   a burst of ${BURST}: all responses after ${(ms / 1000).toFixed(2)} s, none refused`);
    const stored = "SELECT COUNT(*) AS events FROM billing.stripe_events WHERE type = 'customer.updated'";
    print(`   events stored in total: ${(await selectOne<{ events: number }>(system, stored)).events}`);
  });
