import express, { type Express } from 'express';
import Joi from 'joi';
import { billingDoors, STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import type { Doors } from '@shortlist/kit/doors';
import type { Metrics } from '@shortlist/kit/metrics';
import { insertStripeEvent } from './inbox.ts';
import type { Intake } from './intake.ts';
import type { ProcessParts } from './process-event.ts';
import { reconcile } from './reconcile.ts';
import { retryInbox } from './retry-inbox.ts';
import { customerOf, type SignatureCheck } from './signature.ts';

const BODY_LIMIT = '1mb';
const NOTHING = Joi.object<Record<never, never>>({});

type WebhookParts = ProcessParts & { checkSignature: SignatureCheck; intake: Intake; metrics: Metrics };

/** Takes deliveries: signature, one durable row, 2xx. Nothing else happens before the answer. */
export const addWebhook = (
  app: Express,
  { db, clock, checkSignature, intake, metrics }: WebhookParts,
): void => {
  const refused = metrics.counter(
    'stripe_webhooks_refused_total',
    'Deliveries whose signature did not match',
  );
  app.post(
    STRIPE_WEBHOOK_PATH,
    express.raw({ type: () => true, limit: BODY_LIMIT }),
    async (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const check = (): ReturnType<SignatureCheck> => {
        try {
          return checkSignature(body, request.get('stripe-signature'));
        } catch (error) {
          refused.inc();
          throw error;
        }
      };
      const event = check();
      const received = {
        eventId: event.id,
        type: event.type,
        customerId: customerOf(event),
        payload: body.toString(),
      };
      const isNew = await insertStripeEvent(db.manager, { ...received, receivedAt: clock() });
      response.json({ received: true });
      if (isNew) intake.take(event.id);
    },
  );
};

export const addStripeDoors = (doors: Doors, parts: ProcessParts): void => {
  doors.add(billingDoors.reconcile, { roles: ['service'], input: NOTHING, answer: () => reconcile(parts) });
  doors.add(billingDoors.retryInbox, { roles: ['service'], input: NOTHING, answer: () => retryInbox(parts) });
};
