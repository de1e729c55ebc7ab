import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createError } from '@shortlist/kit/process/errors';

/** argon2id at OWASP's floor: 19 MiB, two passes, one lane. Memory in use is this times the hashes at work at once. */
// The package's own name for argon2id is a const enum, which type stripping cannot read.
const ARGON2ID = 2;
const SETTINGS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;
/** As many at once as there are cores; a login beyond the queue is told to come back. */
const AT_ONCE = availableParallelism();
const QUEUE = 200;

export type Hasher = {
  hash: (password: string) => Promise<string>;
  verify: (passwordHash: string, password: string) => Promise<boolean>;
  /** A hash to verify where there is no account, so that an unknown address takes as long as a known one. */
  nothing: string;
  isWeak: (passwordHash: string) => boolean;
};

const createGate = (): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= AT_ONCE) {
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
    hash: (password) => gate(() => hash(password, SETTINGS)),
    verify: (passwordHash, password) => gate(() => verify(passwordHash, password)),
    nothing: await hash('no account has this password', SETTINGS),
    isWeak,
  };
};
