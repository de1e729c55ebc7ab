import type { DIRECTORY_SORTS } from '@shortlist/contracts/api/public';

/** The columns by which the list is sorted, in their order, with the keys of their labels. */
export const LABELS = {
  name: 'fullName',
  email: 'email',
  organizationName: 'organization',
  country: 'country',
  createdAt: 'joinDate',
} as const satisfies Record<(typeof DIRECTORY_SORTS)[number], string>;

export const COLUMNS = Object.keys(LABELS) as (keyof typeof LABELS)[];
