import type { Tx } from '@shortlist/kit/data/db';
import { upsert } from '@shortlist/kit/data/insert';
import { EntitySchema } from 'typeorm';

/** The position of reconciliation in one of Stripe's lists; null is the start. */
export type CursorRow = {
  list: 'events' | 'subscriptions' | 'fees' | 'invoices' | 'disputes' | 'payouts' | 'refunds' | 'charges';
  position: string | null;
};

export const cursorEntity = new EntitySchema<CursorRow>({
  name: 'cursor',
  tableName: 'cursors',
  columns: {
    list: { type: 'varchar', length: 30, primary: true },
    position: { type: 'varchar', length: 100, nullable: true },
  },
});

export const findCursor = async (tx: Tx, list: CursorRow['list']): Promise<string | null> =>
  (await tx.getRepository(cursorEntity).findOneBy({ list }))?.position ?? null;

export const setCursor = async (tx: Tx, { list, position }: CursorRow): Promise<void> => {
  await upsert(tx, cursorEntity, { rows: [{ list, position }], update: ['position'] });
};
