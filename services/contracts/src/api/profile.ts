import type { AdminFields, ProfileFields } from '../schemas/account.ts';
import type { PlanState } from '../plan.ts';
import { door } from './door.ts';
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

export const profileDoors = {
  storePicture: door<{ picture: Uint8Array }, { name: string }>('POST', '/pictures'),
  sweepPictures: door<Record<never, never>, { removed: number }>('POST', '/pictures/sweep'),
  createProfile: door<NewProfile, { data: Profile }>('POST', '/profiles'),
  updateProfile: door<ProfileChange, { data: Profile }>('PUT', '/profiles/:id'),
  getProfile: door<{ id: string }, { data: Profile }>('GET', '/profiles/:id'),
  deleteProfile: door<{ id: string }, Record<never, never>>('DELETE', '/profiles/:id'),
  /** The copy of a plan, for somebody who looks before its fact has come. */
  keepPlan: door<{ id: string; planState: PlanState }, Record<never, never>>('PUT', '/profiles/:id/plan'),
  listDirectory: door<DirectoryQuery, DirectoryPage>('GET', '/directory'),
  exportDirectory: door<DirectoryExport, string>('GET', '/directory.csv'),
  listNewest: door<{ limit?: number }, { data: DirectoryRow[] }>('GET', '/directory/newest'),
} as const;
