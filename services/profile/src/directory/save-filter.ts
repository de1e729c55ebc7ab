import type { SavedQuery } from '@shortlist/contracts/api/directory';
import { SAVED_FILTERS_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { deleteFilter, insertFilter, listFilters, lockFilter, updateFilter } from './filter-queries.ts';

type Filter = { filterId: string; name: string; query: SavedQuery };

/** Saves a filter of an admin, or replaces it. */
export const saveFilter = async (
  tx: Tx,
  { filterId: id, name, query }: Filter,
  adminId: string,
): Promise<void> => {
  const existing = await lockFilter(tx, id);
  if (existing !== null && existing.adminId !== adminId) throw createError('profile.filter_not_found');
  if (existing !== null) return updateFilter(tx, { id, name, query });
  if ((await listFilters(tx, adminId)).length >= SAVED_FILTERS_MAX) throw createError('profile.filters_full');
  // Another admin's, with the same id at the same moment.
  if (!(await insertFilter(tx, { id, adminId, name, query }))) throw createError('profile.filter_not_found');
};

export const removeFilter = async (tx: Tx, id: string, adminId: string): Promise<void> => {
  if ((await lockFilter(tx, id))?.adminId !== adminId) throw createError('profile.filter_not_found');
  await deleteFilter(tx, id);
};
