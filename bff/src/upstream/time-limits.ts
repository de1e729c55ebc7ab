/** For a call behind which a password is hashed: the hash may wait in identity's queue. */
export const HASH_TIMEOUT_MS = 15_000;

/** For a call behind which Stripe is called: longer than billing's deadline, so that billing's error arrives and not bff's timeout. */
export const PROVIDER_TIMEOUT_MS = 15_000;
