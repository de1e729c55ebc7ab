import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { In, Not } from 'typeorm';
import { TRIAL_KINDS, type TrialHash } from './trial-keys.ts';

/** What a trial was begun with, as hashes that tell nothing without their key. Rows stay when their user is deleted. */
export const trialEntity = defineEntity('trial', 'trials', {
  kind: { ...column.enumOf(TRIAL_KINDS), primary: true },
  hash: { ...column.char(43), primary: true },
  keyId: column.char(16),
  subscriptionId: column.varchar(64),
  claimedAt: column.dateTime,
});
type TrialRow = RowOf<typeof trialEntity>;

/** How long a trial is remembered. */
export const TRIAL_MEMORY_DAYS = 730;

export const OLD_TRIALS: PruneRule = {
  days: TRIAL_MEMORY_DAYS,
  remove: 'DELETE FROM trials WHERE claimed_at < ? ORDER BY claimed_at LIMIT ?',
};

export const isTrialOf = (tx: Tx, subscriptionId: string): Promise<boolean> =>
  tx.getRepository(trialEntity).existsBy({ subscriptionId });

/** Whether any of these values has begun a trial. */
export const isClaimed = async (tx: Tx, hashes: TrialHash[]): Promise<boolean> => {
  const where = hashes.map(({ kind, hash }) => ({ kind, hash }));
  return tx.getRepository(trialEntity).existsBy(where);
};

/** Whether a trial is remembered by a key that is not among these, so that its values would not be recognized. */
export const hasOtherKeys = (tx: Tx, keyIds: string[]): Promise<boolean> =>
  tx.getRepository(trialEntity).existsBy({ keyId: Not(In(keyIds)) });

/** Returns false if a row existed before; then the caller rolls back. In the order of the keys, so that concurrent claims do not deadlock. */
export const insertTrials = async (
  tx: Tx,
  hashes: TrialHash[],
  claim: Pick<TrialRow, 'subscriptionId' | 'claimedAt'>,
): Promise<boolean> => {
  const keyOf = ({ kind, hash }: TrialHash): string => `${kind} ${hash}`;
  const rows = hashes
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .map((hash) => ({ ...hash, ...claim }));
  return (await insertIfAbsent(tx, trialEntity, rows)) === rows.length;
};
