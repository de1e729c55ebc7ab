import express, { type Express } from 'express';
import Joi from 'joi';
import type { Stripe } from 'stripe';
import { billingEndpoints, STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import type { Router } from '@shortlist/kit/http/router';
import { failPoint } from '@shortlist/kit/process/fail-point';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { insertStripeEvent } from './inbox.ts';
import type { Intake } from './intake.ts';
import type { ProcessParts } from './process-event.ts';
import { reconcile } from './reconcile.ts';
import { retryInbox } from './retry-inbox.ts';
import { customerOf, type SignatureCheck } from './signature.ts';
import { PLAN_EVENTS } from './webhook-table.ts';

const BODY_LIMIT = '1mb';
const NOTHING = Joi.object<Record<never, never>>({});

type WebhookParts = ProcessParts & {
  checkSignature: SignatureCheck;
  intake: Intake;
  metrics: Metrics;
  live: boolean;
};

const OTHER_MODE = 'other mode';

const whyIgnored = (event: Stripe.Event, live: boolean): string | null => {
  if (event.livemode !== live) return OTHER_MODE;
  return PLAN_EVENTS.has(event.type) ? null : 'changes no plan';
};

/** Takes deliveries: signature, one durable row, 2xx. Nothing else happens before the answer. */
export const addWebhook = (
  app: Express,
  { db, clock, log, checkSignature, intake, metrics, live }: WebhookParts,
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
      const ignored = whyIgnored(event, live);
      const isNew = await insertStripeEvent(db.manager, {
        eventId: event.id,
        type: event.type,
        customerId: customerOf(event),
        payload: body.toString(),
        receivedAt: clock(),
        ignored,
      });
      failPoint('stripe_inbox.after_insert');
      response.json({ received: true });
      failPoint('stripe_inbox.after_answer');
      const { id: eventId, type } = event;
      // Somebody has joined our endpoint to the wrong kind of key: an operator should hear of it.
      if (ignored === OTHER_MODE) log.warn({ eventId, type, why: ignored }, 'event ignored');
      else if (isNew && ignored === null) intake.take(eventId);
      else log.debug({ eventId, ignored }, 'nothing follows');
    },
  );
};

export const addStripeEndpoints = (router: Router, parts: ProcessParts): void => {
  router.add(billingEndpoints.reconcile, {
    roles: ['service'],
    input: NOTHING,
    handle: () => reconcile(parts),
  });
  router.add(billingEndpoints.retryInbox, {
    roles: ['service'],
    input: NOTHING,
    handle: () => retryInbox(parts),
  });
};
