// Search terms are computed when a profile changes. Profiles written by an older release, which may still be running, lack the spellings with
// plain letters and the readable form of domains, so they are refreshed in the background.
import { SPECIAL_LETTERS } from '@shortlist/contracts/unicode';
import { days } from '@shortlist/contracts/durations';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { repeat, type Repetition } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import {
  deleteTerms,
  findPageEnd,
  insertTerms,
  listSpelledTwice,
  lockProfile,
  updateTerms,
} from './queries.ts';
import { termsOf } from './terms.rules.ts';

const EVERY_MS = days(1);
/** Profiles per statement: few, so that it takes milliseconds. */
const PAGE = 5_000;

/** Updates the terms of a profile if they differ from the rule. The lock prevents a concurrent edit in between. */
const refresh = async (tx: Tx, id: string): Promise<boolean> => {
  const current = await lockProfile(tx, id);
  if (current === null) return false;
  const terms = termsOf(current);
  if (terms === current.terms) return false;
  await updateTerms(tx, id, terms);
  await deleteTerms(tx, current);
  await insertTerms(tx, { ...current, terms });
  return true;
};

/** Refreshes the terms that differ from the rule, each profile in its own transaction. Returns how many there were. */
export const refreshTerms = async (
  db: Db,
  { pageSize = PAGE, isStopped = () => false }: { pageSize?: number; isStopped?: () => boolean } = {},
): Promise<number> => {
  let count = 0;
  for (let after = ''; !isStopped();) {
    const end = await findPageEnd(db.manager, after, pageSize);
    if (end === null) break;
    const rows = await listSpelledTwice(db.manager, { after, end, letters: SPECIAL_LETTERS });
    for (const row of rows) {
      if (isStopped() || termsOf(row) === row.terms) continue;
      if (await inTransaction(db, (tx) => refresh(tx, row.id))) count += 1;
    }
    after = end;
  }
  return count;
};

/** Refreshes now and every day. Concurrent processes do no harm. */
export const startRefreshingTerms = ({ db, log }: { db: Db; log: Log }): Repetition => {
  let isStopped = false;
  const run = async (): Promise<void> => {
    const count = await refreshTerms(db, { isStopped: () => isStopped });
    if (count > 0) log.info({ count }, 'search terms refreshed');
  };
  const repetition = repeat(async () => {
    await run().catch((error: unknown) =>
      log.warn({ err: error }, 'search terms not refreshed, next try tomorrow'),
    );
    return EVERY_MS;
  });
  return {
    stop: () => {
      isStopped = true;
      return repetition.stop();
    },
  };
};
