import { STRIPE_WEBHOOK_BYTES, STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import { failPoint } from '@shortlist/kit/process/fail-point';
import type { Metrics } from '@shortlist/kit/process/metrics';
import express, { type Express } from 'express';
import { webhooksReceived, webhooksRefused } from '../metrics.ts';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';
import type { DeliveredEvent, SignatureCheck } from '../stripe/signature.ts';
import { isHandled } from './event-table.ts';
import type { Intake } from './process-event.ts';
import { insertStripeEvent } from './queries.ts';

const OTHER_MODE = 'other mode';

type WebhookParts = RefreshParts & {
  checkSignature: SignatureCheck;
  intake: Intake;
  metrics: Metrics;
  /** Whether Stripe's key is one for real money; events of the other mode are stored and ignored. */
  live: boolean;
};

const ignoreReason = ({ livemode, type }: DeliveredEvent, live: boolean): string | null => {
  if (livemode !== live) return OTHER_MODE;
  return isHandled(type) ? null : 'changes no plan';
};

/** Takes Stripe's deliveries: signature check, one durable row, 2xx. The event is processed after the response. */
export const addWebhook = (
  app: Express,
  { db, clock, log, checkSignature, intake, metrics, live }: WebhookParts,
): void => {
  const refusals = metrics.counter(webhooksRefused);
  const received = metrics.counter(webhooksReceived);
  const verify = (body: Buffer, signature: string | undefined): DeliveredEvent => {
    try {
      return checkSignature(body, signature);
    } catch (error) {
      refusals.inc();
      throw error;
    }
  };
  app.post(
    STRIPE_WEBHOOK_PATH,
    express.raw({ type: () => true, limit: STRIPE_WEBHOOK_BYTES, inflate: false }),
    async (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = verify(body, request.get('stripe-signature'));
      const { eventId, type, customerId, payload } = event;
      const ignored = ignoreReason(event, live);
      const row = { eventId, type, customerId, payload, receivedAt: clock(), ignored };
      const isNew = await insertStripeEvent(db.manager, row);
      received.inc({ type: isHandled(type) ? type : 'other' });
      failPoint('stripe_inbox.after_insert');
      response.json({ received: true });
      failPoint('stripe_inbox.after_answer');
      // A webhook endpoint that is connected to the wrong kind of key needs an operator.
      if (ignored === OTHER_MODE) log.warn({ eventId, type, why: ignored }, 'event ignored');
      else if (isNew && ignored === null) intake.add(eventId);
      else log.debug({ eventId, ignored }, 'event has no effect');
    },
  );
};
