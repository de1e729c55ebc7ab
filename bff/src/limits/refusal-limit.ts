import type { Redis } from '@shortlist/kit/data/redis';
import { toAppError } from '@shortlist/kit/http/respond';
import { createAttemptLimit, NETWORK_HOLD_MS } from './attempt-limit.ts';
import { networkOf } from './network.ts';

/**
 * Counts the error of a client without a session if it refuses the request as such. Returns the error to respond with: the same, or
 * `request.rate_limited` beyond the limit, after a pause.
 *
 * It limits refusals alone, after they are decided. Many people may share a network: one who floods it with broken requests must not
 * keep the others from logging in, so a request that is in order passes, whatever the network has sent before. This is enough because a
 * refusal costs no more than a request that is in order (test/worst-bodies.test.ts): the limit is there to slow the flood down, and
 * to show it.
 */
export type RefusalLimit = (cause: unknown, address: string) => Promise<unknown>;

/** What no page of ours causes often: the pages validate their forms, and know their host. */
const COUNTED = new Set<string>([
  'request.invalid',
  'request.malformed',
  'request.too_many_parameters',
  'request.too_large',
  'request.length_missing',
  'request.unsupported_type',
  'request.wrong_host',
  'request.cross_site',
  'identity.login_invalid',
]);

export const createRefusalLimit = (redis: Redis, perMinute: number): RefusalLimit => {
  const limit = createAttemptLimit(redis, {
    name: 'refusals',
    attempts: perMinute,
    seconds: 60,
    withoutRedis: 'allow',
    holdMs: NETWORK_HOLD_MS,
  });
  return async (cause, address) => {
    if (!COUNTED.has(toAppError(cause).code)) return cause;
    return limit.consume(networkOf(address)).then(
      () => cause,
      (beyond: unknown) => beyond,
    );
  };
};
