import type { Db } from '@shortlist/kit/data/db';
import { type Attempt, type Settlement, settleMails } from './queries.ts';

type Result = { attempt: Attempt; settlement: Settlement };

/**
 * Records the results of attempts. Those that arrive while others are being written are written together afterwards, equal ones with one
 * statement, so that a commit is shared and no result waits for one that is not there yet.
 */
export class Settlements {
  readonly #db: Db;
  #waiting: Result[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Resolves once the result is stored. */
  settle(attempt: Attempt, settlement: Settlement): Promise<void> {
    this.#waiting.push({ attempt, settlement });
    if (this.#waiting.length === 1) this.#last = this.#last.catch(() => undefined).then(() => this.#write());
    return this.#last;
  }

  async #write(): Promise<void> {
    const results = this.#waiting;
    this.#waiting = [];
    const equal = Map.groupBy(results, ({ attempt, settlement }) =>
      JSON.stringify([attempt.attempts, settlement]),
    );
    for (const [first, ...others] of equal.values()) {
      if (first === undefined) continue;
      const ids = [first, ...others].map(({ attempt }) => attempt.id);
      await settleMails(this.#db.manager, { ids, attempts: first.attempt.attempts }, first.settlement);
    }
  }
}
