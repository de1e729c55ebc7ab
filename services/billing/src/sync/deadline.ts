import { createError } from '@shortlist/kit/process/errors';
import { withTimeout } from '@shortlist/kit/process/clock';
import type { Limits } from './lease.ts';

/** Below the ten seconds in which a request must get a response (F9), however many calls to Stripe it makes. */
export const DEADLINE_MS = 9_000;

/**
 * Waits for an action nine seconds at most. The action itself continues under its lease, and a repeated request finds its result.
 * Throws `billing.provider_unavailable`.
 */
export const withDeadline = <T>(
  action: Promise<T>,
  { limits = {} }: { limits?: Limits | undefined },
): Promise<T> =>
  withTimeout(action, limits.deadlineMs ?? DEADLINE_MS, () =>
    createError('billing.provider_unavailable', { retryAfterSeconds: 5 }),
  );
