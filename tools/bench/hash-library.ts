import { hash, verify } from '@node-rs/argon2';
import { HASH_SETTINGS } from '@shortlist/identity/passwords/hasher';
import type { Subject } from './rounds.ts';

const PASSWORD = 'a long enough one';

/** What the library alone makes of the processors: hashes with identity's settings. */
export const hashing = (): Subject => ({
  name: 'the hash library: hash',
  run: () => hash(PASSWORD, HASH_SETTINGS),
});

/** Verifies such a hash, as a log-in does. */
export const verifying = async (): Promise<Subject> => {
  const passwordHash = await hash(PASSWORD, HASH_SETTINGS);
  return { name: 'the hash library: verify', run: () => verify(passwordHash, PASSWORD) };
};
