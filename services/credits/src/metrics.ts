import type { Db } from '@shortlist/kit/data/db';
import { defineGauge } from '@shortlist/kit/process/declared-metrics';
import { findLastEntryId, listDriftingBuckets } from './ledger/queries.ts';

export const ledgerDrift = defineGauge('ledger_drift_windows', {
  help: 'Buckets with new ledger entries whose use is not the sum of their entries; must be 0',
});

// The use of a bucket and its ledger change in one transaction, so it can only drift where entries are added. The metric compares those of
// the newest entries, which costs the same however many there are; `shortlist verify` compares all.

const INTERVAL_MS = 25_000;
/** The most entries that one comparison reads. */
const ENTRIES = 5_000;
/** Entries before the last one that was compared: their transactions may have been committed later. */
const OVERLAP = 500;

/** Counts the buckets that differ, among those with new entries and those that differed before; at most once in `intervalMs`. */
export const createDriftReader = (db: Db, intervalMs = INTERVAL_MS): (() => Promise<number>) => {
  let readAt = Number.NEGATIVE_INFINITY;
  let compared = 0;
  let drifting: number[] = [];
  return async () => {
    if (performance.now() - readAt < intervalMs) return drifting.length;
    const last = await findLastEntryId(db.manager);
    const after = Math.max(compared - OVERLAP, last - ENTRIES, 0);
    drifting = await listDriftingBuckets(db.manager, after, drifting);
    compared = last;
    readAt = performance.now();
    return drifting.length;
  };
};
