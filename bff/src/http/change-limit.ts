import { hours } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import { createAttemptLimit } from '../limits/attempt-limit.ts';
import type { Route, Step } from './endpoint.ts';

/** The changes of a user in an hour, far more than a person makes. Each may add an event, an audit entry or a picture. */
export const CHANGES_AN_HOUR = 1_000;

/** What has limits of its own, and what ends sessions: a person who has stolen a session must not be able to prevent it. */
const UNCOUNTED = /^\/api\/(credits|sessions|session|password|logout)(\/|$)/;

const isCounted = ({ method, path }: Route): boolean =>
  (method === 'POST' || method === 'PUT') && !UNCOUNTED.test(path);

/**
 * Counts the changes that a user makes with a session; what deletes or ends something is bounded by what was made. Throws
 * `request.rate_limited`.
 */
export const createChangeLimit = (redis: Redis): ((endpoint: Route) => Step) => {
  const settings = { name: 'changes', attempts: CHANGES_AN_HOUR, windowMs: hours(1) } as const;
  const limit = createAttemptLimit(redis, { ...settings, withoutRedis: 'allow' });
  return (endpoint) =>
    async (_request, { locals: { visitor } }, next) => {
      const { userId, role } = visitor.caller;
      if (userId !== null && role === 'user' && isCounted(endpoint)) await limit.consume(userId);
      next();
    };
};
