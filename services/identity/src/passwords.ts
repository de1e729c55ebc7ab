// Passwords: which are allowed, and how they are hashed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import {
  type ChosenPassword,
  filterContains,
  filterPositions,
  guessableProblem,
  guessedForm,
  isTooShortToList,
  normalPassword,
  PASSWORD_PROBLEMS,
  passwordLength,
} from '@shortlist/contracts/password.rules';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { hashesRefused, hashQueueSeconds, hashQueueWaiting } from './metrics.ts';

const digestOf = (text: string): Uint8Array => createHash('sha256').update(text).digest();

const BITS_PER_TEXT = 19.2;

/** Builds a filter whose size suits the number of texts. */
export const buildFilter = (texts: readonly string[]): Uint8Array => {
  const filter = new Uint8Array(Math.ceil((texts.length * BITS_PER_TEXT) / 8));
  for (const text of texts)
    for (const position of filterPositions(digestOf(text), filter.length * 8))
      filter[position >>> 3] = (filter[position >>> 3] ?? 0) | (1 << (position & 7));
  return filter;
};

const FILE = createRequire(import.meta.url).resolve('@shortlist/contracts/common-passwords.bloom');

/** Reads the list and returns a function that tells whether a password, in its guessed form, is on it. */
export const readCommonPasswords = (): ((password: string) => boolean) => {
  const filter = readFileSync(FILE);
  return (password) => {
    const form = guessedForm(password);
    return isTooShortToList(form) || filterContains(filter, digestOf(form));
  };
};

type FindBreach = (password: string) => Promise<boolean>;

const PREFIX = 5;
const TIMEOUT_MS = 1_500;

/**
 * Looks up passwords in a list of breached ones with k-anonymity, as Have I Been Pwned defines it: only the first five characters of the SHA-1
 * are sent, and the response has the rest of every hash with this prefix. Without a response the password is accepted.
 */
const createFindBreach = ({ url, log }: { url: string; log: Log }): FindBreach => {
  if (url === '') return () => Promise.resolve(false);
  const base = url.endsWith('/') ? url : `${url}/`;
  return async (password) => {
    const hash = createHash('sha1').update(normalPassword(password)).digest('hex').toUpperCase();
    try {
      const response = await fetch(`${base}${hash.slice(0, PREFIX)}`, {
        headers: { 'add-padding': 'true' },
        redirect: 'error', // a redirect could send the prefix to another host, or into our own network
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const lines = (await response.text()).split(/\r?\n/).map((line) => line.split(':'));
      // Padding has the count 0.
      return lines.some(([rest, count]) => rest === hash.slice(PREFIX) && Number(count) > 0);
    } catch (error) {
      log.warn({ err: error }, 'breached passwords not looked up');
      return false;
    }
  };
};

/** Throws `request.invalid` with the reason at the field `password`. */
export type PasswordPolicy = (chosen: ChosenPassword) => Promise<void>;

type Settings = { min: number; breachedUrl: string; log: Log };

/** The rules for new passwords: long enough and not easy to guess. No kinds of characters are required. */
export const createPasswordPolicy = ({ min, breachedUrl, log }: Settings): PasswordPolicy => {
  const isCommon = readCommonPasswords();
  const findBreach = createFindBreach({ url: breachedUrl, log });
  const isBreached = async (password: string): Promise<boolean> => {
    for (const form of new Set([password, password.trim()])) if (await findBreach(form)) return true;
    return false;
  };
  const problemOf = async (chosen: ChosenPassword): Promise<string | null> => {
    const { password } = chosen;
    if (passwordLength(password) < min) return `Password must contain at least ${min} characters`;
    const guessable = guessableProblem(chosen);
    if (guessable !== null) return PASSWORD_PROBLEMS[guessable];
    if (isCommon(password)) return PASSWORD_PROBLEMS.common;
    return (await isBreached(password)) ? PASSWORD_PROBLEMS.breached : null;
  };
  return async (chosen) => {
    const problem = await problemOf(chosen);
    if (problem !== null) throw createFieldError('request.invalid', 'password', { message: problem });
  };
};

// The package declares argon2id as a const enum, which type stripping cannot read.
const ARGON2ID = 2;
/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. The memory in use is this for each concurrent hash. */
export const HASH_SETTINGS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/;
/** As many concurrent hashes as cores. When the queue is full, a login fails with `identity.busy`. */
const CONCURRENCY = availableParallelism();
const QUEUE = 200;

export type Hasher = {
  /** Hashes the normal form of a password. Queued work is dropped, with the signal's reason, once the signal is aborted. */
  hash: (password: string, signal?: AbortSignal) => Promise<string>;
  /** Whether the hash is of exactly these characters. Queued work is dropped as with `hash`. */
  verify: (passwordHash: string, password: string, signal?: AbortSignal) => Promise<boolean>;
  /** The hash to verify for an unknown email, so that it takes as long as for a known one. */
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
