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

type DriftCheck = () => Promise<number>;

/** Returns a function that compares the buckets with new entries, and those that differed before. It counts those that differ. */
export const createDriftCheck = (db: Db): DriftCheck => {
  let compared = 0;
  let drifting: number[] = [];
  return async () => {
    const last = await findLastEntryId(db.manager);
    const after = Math.max(compared - OVERLAP, last - ENTRIES, 0);
    drifting = await listDriftingBuckets(db.manager, after, drifting);
    compared = last;
    return drifting.length;
  };
};

/** Counts them for the metric: not again within INTERVAL_MS. */
export const createDriftReader = (db: Db): DriftCheck => {
  const check = createDriftCheck(db);
  let readAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return async () => {
    if (performance.now() - readAt < INTERVAL_MS) return count;
    count = await check();
    readAt = performance.now();
    return count;
  };
};
