import type { Plan } from './plan.ts';

export const DIRECTORY_SORTS = ['createdAt', 'name', 'email', 'organizationName', 'country'] as const;
export type DirectorySort = (typeof DIRECTORY_SORTS)[number] | `-${(typeof DIRECTORY_SORTS)[number]}`;

/** The users that a list or an export contains, and their order. */
export type DirectoryFilters = {
  search?: string;
  plan?: Plan;
  country?: string;
  joinedFrom?: string;
  joinedTo?: string;
  sort?: DirectorySort;
};
export type DirectoryQuery = DirectoryFilters & { limit?: number; cursor?: string };
/** The whole list; its dates are days in this time zone. */
export type DirectoryExport = DirectoryFilters & { timeZone?: string };
