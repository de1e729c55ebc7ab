// The work of a password hash. Runs in the threads of `createHashPool`, so it loads little.
import { hashSync, verifySync } from '@node-rs/argon2';

// The package declares argon2id as a const enum, which type stripping cannot read.
const ARGON2ID = 2;
/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. The memory in use is this for each concurrent hash. */
export const HASH_SETTINGS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hash = (password: string): string => hashSync(password, HASH_SETTINGS);

export const verify = ({ passwordHash, password }: { passwordHash: string; password: string }): boolean =>
  verifySync(passwordHash, password);
