import { now, type World } from '../context.ts';
import { invalidRequest, StripeError } from '../model/errors.ts';
import type { SavedReply } from './saved-response.ts';

type KeyedCall = {
  key: string;
  fingerprint: string;
};

const day = 86_400;
const longestKey = 255;

const forgetOldReplies = (world: World): void => {
  const limit = now(world) - day;
  for (const [key, reply] of world.state.replies) {
    // Kept in the order of their making, so the first young one ends the search.
    if (reply.createdAt > limit) return;
    world.state.replies.delete(key);
  }
};

/**
 * The reply kept under this key, or null when the work is still to be done.
 * https://docs.stripe.com/api/idempotent_requests
 */
export const findReply = (world: World, { key, fingerprint }: KeyedCall): SavedReply | null => {
  if (key.length > longestKey) {
    throw invalidRequest({ message: `Idempotency keys have at most ${longestKey} characters.` });
  }
  forgetOldReplies(world);
  const saved = world.state.replies.get(key);
  if (saved && saved.fingerprint !== fingerprint) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StripeError(400, { type: 'idempotency_error', message });
  }
  if (world.keysInFlight.has(key)) {
    const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`;
    throw new StripeError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
  }
  return saved ?? null;
};
