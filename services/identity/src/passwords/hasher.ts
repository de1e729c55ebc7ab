import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { normalPassword } from '@shortlist/contracts/schemas/password';
import { createError } from '@shortlist/kit/process/errors';

// The package declares argon2id as a const enum, which type stripping cannot read.
const ARGON2ID = 2;
/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. The memory in use is this for each concurrent hash. */
const SETTINGS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;
/** As many concurrent hashes as cores. Beyond the queue a login fails with `identity.busy`. */
const CONCURRENCY = availableParallelism();
const QUEUE = 200;

export type Hasher = {
  /** Hashes the normal form of a password. */
  hash: (password: string) => Promise<string>;
  /** Whether the hash is that of exactly these characters. */
  verify: (passwordHash: string, password: string) => Promise<boolean>;
  /** The hash to verify for an unknown address, so that it takes as long as a known one. */
  dummyHash: string;
  isWeak: (passwordHash: string) => boolean;
};

const createGate = (): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= CONCURRENCY) {
      if (waiting.length >= QUEUE) throw createError('identity.busy', { retryAfterSeconds: 2 });
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

const isWeak = (passwordHash: string): boolean => {
  const [, memory = '0', time = '0', lanes = '0'] = CURRENT.exec(passwordHash) ?? [];
  return (
    Number(memory) < SETTINGS.memoryCost ||
    Number(time) < SETTINGS.timeCost ||
    Number(lanes) < SETTINGS.parallelism
  );
};

export const createHasher = async (): Promise<Hasher> => {
  const gate = createGate();
  return {
    hash: (password) => gate(() => hash(normalPassword(password), SETTINGS)),
    verify: (passwordHash, password) => gate(() => verify(passwordHash, password)),
    dummyHash: await hash('no account has this password', SETTINGS),
    isWeak,
  };
};
