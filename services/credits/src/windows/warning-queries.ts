import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { EntitySchema } from 'typeorm';
import { EXHAUSTED_PERCENT, LOW_PERCENT, type Threshold } from './warning.rules.ts';

/** A threshold of a window whose event was emitted, or is no longer due. */
type WarningRow = { windowId: number; threshold: Threshold; userId: string };

// The table is named after the one threshold that it had at first: the version before knows no other name.
export const warningEntity = new EntitySchema<WarningRow>({
  name: 'warning',
  tableName: 'exhausted_windows',
  columns: {
    windowId: { name: 'window_id', type: 'bigint', unsigned: true, primary: true },
    threshold: { type: 'tinyint', unsigned: true, primary: true, default: EXHAUSTED_PERCENT },
    userId: { name: 'user_id', type: 'char', length: 36 },
  },
});

/**
 * Records that a window has reached a threshold. Returns whether this is the first time. An exhausted window is not low again when
 * credits are returned and charged again.
 */
export const insertWarningIfAbsent = async (tx: Tx, warning: WarningRow): Promise<boolean> => {
  const isFirst = (await insertIfAbsent(tx, warningEntity, warning)) === 1;
  if (isFirst && warning.threshold === EXHAUSTED_PERCENT)
    await insertIfAbsent(tx, warningEntity, { ...warning, threshold: LOW_PERCENT });
  return isFirst;
};

export const deleteWarningsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(warningEntity).delete({ userId });
};
