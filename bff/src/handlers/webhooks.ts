import { deliveryEndpoints, webhookEndpoints } from '@shortlist/contracts/api/webhooks';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { days, hours } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import { composed, type Route } from '../http/endpoint.ts';
import { createAttemptLimit } from '../limits/attempt-limit.ts';
import type { Services } from '../services.ts';
import type { AssertVerified } from './sign-up.ts';

type Parts = { services: Services; redis: Redis; assertVerified: AssertVerified };

/** Each new webhook causes a mail. */
const NEW_WEBHOOKS = {
  name: 'new-webhooks',
  attempts: 20,
  windowMs: days(1),
  withoutRedis: 'refuse',
} as const;
/** Messages that a user sends by hand, so that they cannot flood another system. */
const SENT = { name: 'sent-webhooks', attempts: 60, windowMs: hours(1), withoutRedis: 'refuse' } as const;

/** The limited actions of a user with webhooks. */
export const ownWebhookEndpoints = ({ services, redis, assertVerified }: Parts): Route[] => {
  const newWebhooks = createAttemptLimit(redis, NEW_WEBHOOKS);
  const sent = createAttemptLimit(redis, SENT);
  return [
    composed(publicEndpoints.createWebhook, async ({ input, userId, caller }) => {
      await assertVerified('api_keys', caller);
      await newWebhooks.consume(userId);
      return services.identity(webhookEndpoints.createWebhook, { userId, ...input }, { caller });
    }),

    composed(publicEndpoints.sendTestEvent, async ({ input, userId, caller }) => {
      await sent.consume(userId);
      return services.worker(deliveryEndpoints.sendTestEvent, { userId, ...input }, { caller });
    }),

    composed(publicEndpoints.redeliver, async ({ input, userId, caller }) => {
      await sent.consume(userId);
      return services.worker(deliveryEndpoints.redeliver, { userId, ...input }, { caller });
    }),
  ];
};
