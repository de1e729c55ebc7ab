import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { upsert } from '@shortlist/kit/data/insert';

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
