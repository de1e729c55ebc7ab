import type { AdminFields, ProfileFields } from '../schemas/account.ts';
import type { PlanState } from '../plan.ts';
import { endpoint } from './endpoint.ts';
import type { DirectoryPage, DirectoryExport, DirectoryQuery, DirectoryRow } from './public.ts';

export type Profile = ProfileFields & {
  id: string;
  email: string;
  picture: string | null;
  createdAt: string;
  version: number;
  roleType: string;
};
export type NewProfile = Omit<Profile, 'version' | 'roleType'> & AdminFields;
/** `picture` and `roleType` left out stay as they are. */
export type ProfileChange = ProfileFields & AdminFields & { id: string; picture?: string; version?: number };

export const profileEndpoints = {
  storePicture: endpoint<{ picture: Uint8Array }, { name: string }>('POST', '/pictures'),
  sweepPictures: endpoint<Record<never, never>, { removed: number }>('POST', '/pictures/sweep'),
  createProfile: endpoint<NewProfile, { data: Profile }>('POST', '/profiles'),
  updateProfile: endpoint<ProfileChange, { data: Profile }>('PUT', '/profiles/:id'),
  getProfile: endpoint<{ id: string }, { data: Profile }>('GET', '/profiles/:id'),
  deleteProfile: endpoint<{ id: string }, Record<never, never>>('DELETE', '/profiles/:id'),
  /** The copy of a plan, for somebody who looks before its fact has come. */
  storePlan: endpoint<{ id: string; planState: PlanState }, Record<never, never>>(
    'PUT',
    '/profiles/:id/plan',
  ),
  listDirectory: endpoint<DirectoryQuery, DirectoryPage>('GET', '/directory'),
  exportDirectory: endpoint<DirectoryExport, string>('GET', '/directory.csv'),
  listNewest: endpoint<{ limit?: number }, { data: DirectoryRow[] }>('GET', '/directory/newest'),
} as const;
