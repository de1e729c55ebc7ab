// Stripe serves 100 calls a second (25 in test mode) and refuses the rest with 429. All processes of billing share a budget below that, which
// leaves room for users who wait.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '@shortlist/kit/data/redis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** The part of the budget that each process takes while Redis is away: there are seldom more than four. */
const SHARE_WITHOUT_REDIS = 1 / 4;

const SECOND_MS = 1_000;

const KEY = 'calls';

/** Waits until a call may begin. */
export type Admission = () => Promise<void>;

/** Waits until as many calls as a read of a customer makes may begin, and runs `work`, which makes them. */
export type ReserveRead = <T>(work: () => Promise<T>) => Promise<T>;

/** Of most customers: their subscriptions, invoices and charges. */
const READ_CALLS = 3;

/** The calls of the current work that may begin at once. */
const reserved = new AsyncLocalStorage<{ left: number }>();

/**
 * Calls for which a user waits are counted and never held back; calls in the background (webhooks, reconciliation, checks) take what users have
 * left of the last second, and wait otherwise.
 */
export class CallBudget {
  readonly #perSecond: number;
  readonly #users: RateLimiterRedis;
  readonly #background: RateLimiterRedis;

  constructor(redis: Redis, perSecond: number) {
    const limiter = (name: string): RateLimiterRedis =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `stripe:${name}`,
        points: perSecond,
        duration: 1,
        insuranceLimiter: new RateLimiterMemory({
          points: Math.max(1, Math.floor(perSecond * SHARE_WITHOUT_REDIS)),
          duration: 1,
        }),
      });
    this.#perSecond = perSecond;
    this.#users = limiter('users');
    this.#background = limiter('background');
  }

  /** For a call for which a user waits. */
  readonly admitUser: Admission = () => {
    void this.#users.penalty(KEY).catch(() => undefined);
    return Promise.resolve();
  };

  /** For a call in the background. */
  readonly admitBackground: Admission = () => {
    const reservation = reserved.getStore();
    if (reservation === undefined || reservation.left === 0) return this.#wait();
    reservation.left -= 1;
    return Promise.resolve();
  };

  /** For work in the background that holds a user's lease: it waits before, so that the user never waits with it. */
  readonly reserveRead: ReserveRead = async (work) => {
    await Promise.all(Array.from({ length: READ_CALLS }, () => this.#wait()));
    return reserved.run({ left: READ_CALLS }, work);
  };

  /** The calls in the present second, and how many the budget allows. */
  readonly read = async (): Promise<{ used: number; limit: number }> => {
    const [users, background] = await Promise.all([this.#users.get(KEY), this.#background.get(KEY)]);
    const used = (users?.consumedPoints ?? 0) + (background?.consumedPoints ?? 0);
    return { used, limit: this.#perSecond };
  };

  async #wait(): Promise<void> {
    for (;;) {
      const { isAdmitted, waitMs } = await this.#take();
      await sleep(waitMs);
      if (isAdmitted) return;
    }
  }

  /**
   * Takes a call of the current second. The calls of a second are spread over it, since Stripe's seconds begin at other times, and a user's
   * call finds room at any of them. `waitMs`: until the call may begin, or until the next second if none is left.
   */
  async #take(): Promise<{ isAdmitted: boolean; waitMs: number }> {
    const [users, taken] = await Promise.all([this.#users.get(KEY), this.#consume()]);
    const used = taken.consumedPoints + (users?.consumedPoints ?? 0);
    if (taken.isRefused || used > this.#perSecond)
      return { isAdmitted: false, waitMs: Math.max(1, taken.msBeforeNext) };
    const elapsedMs = SECOND_MS - taken.msBeforeNext;
    return { isAdmitted: true, waitMs: Math.max(0, ((used - 1) * SECOND_MS) / this.#perSecond - elapsedMs) };
  }

  async #consume(): Promise<
    Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'> & { isRefused: boolean }
  > {
    try {
      const { consumedPoints, msBeforeNext } = await this.#background.consume(KEY);
      return { consumedPoints, msBeforeNext, isRefused: false };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { consumedPoints: refusal.consumedPoints, msBeforeNext: refusal.msBeforeNext, isRefused: true };
    }
  }
}
