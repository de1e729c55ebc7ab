import { now, type Context } from '../context.ts';
import { StripeError, invalidRequest } from '../model/errors.ts';
import type { SavedResponse } from './saved-response.ts';

type IdempotentRequest = {
  key: string;
  fingerprint: string;
};

const DAY = 86_400;
const MAX_KEY_LENGTH = 255;

const deleteExpiredResponses = (context: Context): void => {
  const limit = now(context) - DAY;
  for (const [key, saved] of context.state.savedResponses) {
    // The map is in order of creation, so no expired response follows a current one.
    if (saved.createdAt > limit) return;
    context.state.savedResponses.delete(key);
  }
};

/**
 * Returns the response saved under the key, or null when the request has not run yet.
 * https://docs.stripe.com/api/idempotent_requests
 */
export const findSavedResponse = (
  context: Context,
  { key, fingerprint }: IdempotentRequest,
): SavedResponse | null => {
  if (key.length > MAX_KEY_LENGTH) {
    throw invalidRequest({ message: `Idempotency keys have at most ${MAX_KEY_LENGTH} characters.` });
  }
  deleteExpiredResponses(context);
  const saved = context.state.savedResponses.get(key);
  if (saved && saved.fingerprint !== fingerprint) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StripeError(400, { type: 'idempotency_error', message });
  }
  if (context.keysInFlight.has(key)) {
    const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`;
    throw new StripeError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
  }
  return saved ?? null;
};
