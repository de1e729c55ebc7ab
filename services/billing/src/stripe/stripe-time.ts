/** Stripe states the time of a response, and of an event, in whole seconds. */
const ONE_SECOND = 1_000;

/**
 * A lower bound of the time at Stripe, from the dates of its responses and the time since then by this process's monotonic clock. Whatever a read
 * returns that begins now, contains all changes before that time. Independent of this machine's wall clock.
 */
export class StripeTime {
  /** Stripe's time minus the monotonic time. */
  #offset: number | null = null;
  readonly #monotonic: () => number;

  /** `monotonic`: milliseconds of a clock that is never set. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Takes the `Date` header of a response. */
  observe(header: string | undefined): void {
    const at = Date.parse(header ?? '');
    if (Number.isNaN(at)) return;
    this.#offset = Math.max(this.#offset ?? -Infinity, at - this.#monotonic());
  }

  /** Null before the first response. */
  earliestNow(): Date | null {
    return this.#offset === null ? null : new Date(this.#offset + this.#monotonic());
  }
}

/** Whether something that happened in the second of `createdAt` had happened by `time`. */
export const isBefore = (createdAt: Date, time: Date): boolean =>
  createdAt.getTime() + ONE_SECOND <= time.getTime();
