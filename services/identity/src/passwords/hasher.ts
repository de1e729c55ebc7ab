import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { normalPassword } from '@shortlist/contracts/password.rules';
import { createError } from '@shortlist/kit/process/errors';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { hashesRefused, hashQueueSeconds, hashQueueWaiting } from '../metrics.ts';

// The package declares argon2id as a const enum, which type stripping cannot read.
const ARGON2ID = 2;
/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. The memory in use is this for each concurrent hash. */
export const HASH_SETTINGS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;
/** As many concurrent hashes as cores. Beyond the queue a login fails with `identity.busy`. */
const CONCURRENCY = availableParallelism();
const QUEUE = 200;

export type Hasher = {
  /** Hashes the normal form of a password. Queued work is dropped, with the signal's reason, once the signal is aborted. */
  hash: (password: string, signal?: AbortSignal) => Promise<string>;
  /** Whether the hash is that of exactly these characters. Queued work is dropped as that of `hash`. */
  verify: (passwordHash: string, password: string, signal?: AbortSignal) => Promise<boolean>;
  /** The hash to verify for an unknown address, so that it takes as long as a known one. */
  dummyHash: string;
  isWeak: (passwordHash: string) => boolean;
};

type Gate = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

const createGate = (metrics: Metrics | undefined): Gate => {
  let running = 0;
  const waiting = new Set<() => void>();
  metrics?.gauge(hashQueueWaiting, () => Promise.resolve(waiting.size));
  const refused = metrics?.counter(hashesRefused);
  const waits = metrics?.histogram(hashQueueSeconds);
  const waitForTurn = async (signal: AbortSignal | undefined): Promise<void> => {
    if (waiting.size >= QUEUE) {
      refused?.inc();
      throw createError('identity.busy', { retryAfterSeconds: 2 });
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const drop = (): void => {
      if (waiting.delete(resolve)) reject(signal?.reason as Error);
    };
    waiting.add(resolve);
    signal?.addEventListener('abort', drop, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', drop));
  };
  const startNext = (): void => {
    const [next] = waiting;
    if (next === undefined) return void (running -= 1);
    waiting.delete(next);
    next();
  };
  return async (work, signal) => {
    signal?.throwIfAborted();
    const stopWait = waits?.startTimer();
    if (running >= CONCURRENCY) await waitForTurn(signal);
    else running += 1;
    stopWait?.();
    try {
      return await work();
    } finally {
      startNext();
    }
  };
};

const isWeak = (passwordHash: string): boolean => {
  const [, memory = '0', time = '0', lanes = '0'] = CURRENT.exec(passwordHash) ?? [];
  return (
    Number(memory) < HASH_SETTINGS.memoryCost ||
    Number(time) < HASH_SETTINGS.timeCost ||
    Number(lanes) < HASH_SETTINGS.parallelism
  );
};

export const createHasher = async (metrics?: Metrics): Promise<Hasher> => {
  const gate = createGate(metrics);
  return {
    hash: (password, signal) => gate(() => hash(normalPassword(password), HASH_SETTINGS), signal),
    verify: (passwordHash, password, signal) => gate(() => verify(passwordHash, password), signal),
    dummyHash: await hash('no account has this password', HASH_SETTINGS),
    isWeak,
  };
};
