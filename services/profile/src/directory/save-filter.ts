import { type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import type { SavedQuery } from '@shortlist/contracts/api/directory';
import { SAVED_FILTERS_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import {
  deleteFilter,
  deleteFiltersOf,
  insertFilter,
  listFilters,
  lockFilter,
  updateFilter,
} from './filter-queries.ts';

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

type Access = { role: AdminRole | null; isRemoved: boolean };

/**
 * Removes the filters of an admin who was removed, or whose role no longer includes the list of users. A suspended admin may come back to them. A
 * filter that is saved at the same moment is waited for; one that is saved later needs a right that has ended before.
 */
export const removeFiltersOfFormer = async (
  tx: Tx,
  adminId: string,
  { role, isRemoved }: Access,
): Promise<void> => {
  if (isRemoved || (role !== null && !may(role, 'users.read'))) await deleteFiltersOf(tx, adminId);
};
