import { type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import type { SavedQuery } from '@shortlist/contracts/api/directory';
import { SAVED_FILTERS_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import {
  deleteFilter,
  deleteFiltersOf,
  insertFilter,
  lockAndCountFilters,
  lockFilter,
  updateFilter,
} from './filter-queries.ts';

type Filter = { filterId: string; name: string; query: SavedQuery };

/** Replaces a filter of an admin. Returns false if there is none with this id. */
const replaceFilter = async (
  tx: Tx,
  { filterId: id, name, query }: Filter,
  adminId: string,
): Promise<boolean> => {
  const existing = await lockFilter(tx, id);
  if (existing === null) return false;
  if (existing.adminId !== adminId) throw createError('profile.filter_not_found');
  await updateFilter(tx, { id, name, query });
  return true;
};

/** Saves a filter of an admin, or replaces it. */
export const saveFilter = async (tx: Tx, filter: Filter, adminId: string): Promise<void> => {
  if (await replaceFilter(tx, filter, adminId)) return;
  const { filterId: id, name, query } = filter;
  const hasRoom = (await lockAndCountFilters(tx, adminId)) < SAVED_FILTERS_MAX;
  if (hasRoom && (await insertFilter(tx, { id, adminId, name, query }))) return;
  // The same request, which came twice at once, may have been faster.
  if (!(await replaceFilter(tx, filter, adminId))) throw createError('profile.filters_full');
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
