import { createHmac, randomUUID } from 'node:crypto';

type Delivery = { body: string; headers: Record<string, string> };

/** A new event as Stripe delivers it, with its signature. */
export const signedEvent = (secret: string, { type, object }: { type: string; object: object }): Delivery => {
  const created = Math.floor(Date.now() / 1000);
  const event = { id: `evt_${randomUUID()}`, object: 'event', type, created, livemode: false };
  const body = JSON.stringify({ ...event, data: { object } });
  const signature = createHmac('sha256', secret).update(`${created}.${body}`).digest('hex');
  return {
    body,
    headers: { 'stripe-signature': `t=${created},v1=${signature}`, 'content-type': 'application/json' },
  };
};
