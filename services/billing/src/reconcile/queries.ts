import type { Reconciliation } from '@shortlist/contracts/api/system';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { propertiesExcept, upsert } from '@shortlist/kit/data/insert';

/** The position of reconciliation in one of Stripe's lists, or in the users whose revenue it checks; null is the start. */
export const cursorEntity = defineEntity('cursor', 'cursors', {
  list: {
    ...column.varchar<
      | 'events'
      | 'subscriptions'
      | 'fees'
      | 'invoices'
      | 'disputes'
      | 'payouts'
      | 'refunds'
      | 'charges'
      | 'revenue'
    >(30),
    primary: true,
  },
  position: column.nullable(column.varchar(100)),
});
export type CursorRow = RowOf<typeof cursorEntity>;

export const findCursor = async (tx: Tx, list: CursorRow['list']): Promise<string | null> =>
  (await tx.getRepository(cursorEntity).findOneBy({ list }))?.position ?? null;

export const setCursor = async (tx: Tx, { list, position }: CursorRow): Promise<void> => {
  await upsert(tx, cursorEntity, { rows: [{ list, position }], update: ['position'] });
};

const RUNS = ['last', 'repair'] as const;

/** The newest run of reconciliation, and the newest that repaired something or failed to. */
export const reconciliationEntity = defineEntity('reconciliation', 'reconciliations', {
  name: { ...column.enumOf(RUNS), primary: true },
  endedAt: column.dateTime,
  checked: column.unsigned,
  repaired: column.unsigned,
  failed: column.unsigned,
});

type Run = Omit<RowOf<typeof reconciliationEntity>, 'name'>;

export const storeReconciliation = async (tx: Tx, run: Run): Promise<void> => {
  const names = run.repaired + run.failed > 0 ? RUNS : (['last'] as const);
  const rows = names.map((name) => ({ name, ...run }));
  await upsert(tx, reconciliationEntity, { rows, update: propertiesExcept(reconciliationEntity, 'name') });
};

export const readReconciliations = async (
  tx: Tx,
): Promise<{ last: Reconciliation | null; lastRepair: Reconciliation | null }> => {
  const rows = await tx.getRepository(reconciliationEntity).find();
  const find = (wanted: (typeof RUNS)[number]): Reconciliation | null => {
    const row = rows.find(({ name }) => name === wanted);
    if (row === undefined) return null;
    const { endedAt, checked, repaired, failed } = row;
    return { endedAt: endedAt.toISOString(), checked, repaired, failed };
  };
  return { last: find('last'), lastRepair: find('repair') };
};
