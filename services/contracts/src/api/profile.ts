import type { AdminFields, ProfileFields } from '../schemas/account.ts';
import type { PlanState } from '../plan.ts';
import { defineEndpoint } from './endpoint.ts';
import type {
  DirectoryPage,
  DirectoryExport,
  DirectoryQuery,
  DirectoryRow,
  DirectoryTotals,
} from './public.ts';

export type Profile = ProfileFields & {
  id: string;
  email: string;
  picture: string | null;
  createdAt: string;
  version: number;
  roleType: string;
};
export type NewProfile = Omit<Profile, 'version' | 'roleType'> & AdminFields;
/** A `picture` or `roleType` that is left out is not changed; a `picture` of null is removed. */
export type ProfileChange = ProfileFields &
  AdminFields & {
    id: string;
    picture?: string | null;
    version?: number;
  };

export const profileEndpoints = {
  storePicture: defineEndpoint<{ picture: Uint8Array }, { name: string }>('POST', '/pictures'),
  sweepPictures: defineEndpoint<Record<never, never>, { removed: number }>('POST', '/pictures/sweep'),
  createProfile: defineEndpoint<NewProfile, { data: Profile }>('POST', '/profiles'),
  updateProfile: defineEndpoint<ProfileChange, { data: Profile }>('PUT', '/profiles/:id'),
  getProfile: defineEndpoint<{ id: string }, { data: Profile }>('GET', '/profiles/:id'),
  deleteProfile: defineEndpoint<{ id: string }, Record<never, never>>('DELETE', '/profiles/:id'),
  /** Updates the directory's copy of a plan ahead of its event, so that the next list shows it. */
  storePlan: defineEndpoint<{ id: string; planState: PlanState }, Record<never, never>>(
    'PUT',
    '/profiles/:id/plan',
  ),
  /** Updates profile's copy of the address ahead of its event. An older version changes nothing. */
  storeEmail: defineEndpoint<{ id: string; email: string; version: number }, Record<never, never>>(
    'PUT',
    '/profiles/:id/email',
  ),
  listDirectory: defineEndpoint<DirectoryQuery, DirectoryPage>('GET', '/directory'),
  exportDirectory: defineEndpoint<DirectoryExport, string>('GET', '/directory.csv'),
  countDirectory: defineEndpoint<Record<never, never>, { data: DirectoryTotals }>('GET', '/directory/totals'),
  listNewest: defineEndpoint<{ limit?: number }, { data: DirectoryRow[] }>('GET', '/directory/newest'),
} as const;
