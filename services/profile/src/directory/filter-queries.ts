import type { SavedQuery } from '@shortlist/contracts/api/directory';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';

export const savedFilterEntity = defineEntity('saved_filter', 'saved_filters', {
  id: { ...column.uuid, primary: true },
  adminId: column.uuid,
  name: column.varchar(60),
  query: column.json<SavedQuery>(),
});
type FilterRow = RowOf<typeof savedFilterEntity>;

const filters = (tx: Tx) => tx.getRepository(savedFilterEntity);

/** Those of an admin, by name. */
export const listFilters = (tx: Tx, adminId: string): Promise<FilterRow[]> =>
  filters(tx).find({ where: { adminId }, order: { name: 'ASC', id: 'ASC' } });

export const lockFilter = (tx: Tx, id: string): Promise<FilterRow | null> =>
  filters(tx).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

/** Counts those of an admin. They are locked before, so that the last room among them is taken once. */
export const lockAndCountFilters = async (tx: Tx, adminId: string): Promise<number> => {
  const where = { adminId };
  const lock = { mode: 'pessimistic_write' } as const;
  await filters(tx).find({ select: { id: true }, where, order: { id: 'ASC' }, lock });
  return filters(tx).countBy(where);
};

/** Returns false if there is a filter with this id. */
export const insertFilter = async (tx: Tx, row: FilterRow): Promise<boolean> =>
  (await insertIfAbsent(tx, savedFilterEntity, row)) === 1;

export const updateFilter = async (
  tx: Tx,
  { id, name, query }: Pick<FilterRow, 'id' | 'name' | 'query'>,
): Promise<void> => {
  await filters(tx).update({ id }, { name, query });
};

export const deleteFilter = async (tx: Tx, id: string): Promise<void> => {
  await filters(tx).delete({ id });
};

export const deleteFiltersOf = async (tx: Tx, adminId: string): Promise<void> => {
  await filters(tx).delete({ adminId });
};
