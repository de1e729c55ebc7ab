import Joi from 'joi';
import type { DirectoryExport, DirectoryQuery } from '../directory.ts';
import { PICTURE_NAME } from '../limits.ts';
import type { PlanState } from '../plan.ts';
import { type AdminFields, adminSignupSchema, emailSchema, type ProfileFields } from '../schemas/account.ts';
import { directoryExportRules, directoryRules, newestRules } from '../schemas/directory.ts';
import { planStateSchema } from '../schemas/plan.ts';
import { time, uuid } from '../schemas/text.ts';
import type { DirectoryPage, DirectoryRow, DirectoryTotals } from './admin-views.ts';
import { serviceEndpoint } from './service-endpoint.ts';

const picture = Joi.string().pattern(PICTURE_NAME);
const profileFields = adminSignupSchema.fork(['password', 'email'], (field) => field.forbidden());

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
  storePicture: serviceEndpoint<{ picture: Uint8Array }, { name: string }>({
    method: 'POST',
    path: '/pictures',
    roles: ['anonymous', 'user', 'admin'],
    status: 201,
  }),
  sweepPictures: serviceEndpoint<Record<never, never>, { removed: number }>({
    method: 'POST',
    path: '/pictures/sweep',
    roles: ['service'],
  }),
  createProfile: serviceEndpoint<NewProfile, { data: Profile }>({
    method: 'POST',
    path: '/profiles',
    roles: ['anonymous', 'admin'],
    status: 201,
    input: profileFields.append<NewProfile>({
      id: uuid,
      email: Joi.string().max(254).required(),
      picture: picture.allow(null).required(),
      createdAt: time,
    }),
  }),
  updateProfile: serviceEndpoint<ProfileChange, { data: Profile }>({
    method: 'PUT',
    path: '/profiles/:id',
    roles: ['user', 'admin'],
    self: 'id',
    input: profileFields.append<ProfileChange>({
      id: uuid,
      picture: picture.allow(null),
      version: Joi.number().integer().min(0),
    }),
  }),
  getProfile: serviceEndpoint<{ id: string }, { data: Profile }>({
    method: 'GET',
    path: '/profiles/:id',
    roles: ['user', 'admin', 'service'],
    self: 'id',
    input: { id: uuid },
  }),
  eraseUser: serviceEndpoint<{ id: string }, Record<never, never>>({
    method: 'DELETE',
    path: '/profiles/:id',
    roles: ['admin'],
    input: { id: uuid },
  }),
  /** Updates the directory's copy of a plan ahead of its event, so that the next list shows it. */
  storePlan: serviceEndpoint<{ id: string; planState: PlanState }, Record<never, never>>({
    method: 'PUT',
    path: '/profiles/:id/plan',
    roles: ['service'],
    input: { id: uuid, planState: planStateSchema },
  }),
  /** Updates profile's copy of the address ahead of its event. An older version changes nothing. */
  storeEmail: serviceEndpoint<{ id: string; email: string; version: number }, Record<never, never>>({
    method: 'PUT',
    path: '/profiles/:id/email',
    roles: ['service'],
    input: { id: uuid, email: emailSchema, version: Joi.number().integer().min(1).required() },
  }),
  listDirectory: serviceEndpoint<DirectoryQuery, DirectoryPage>({
    method: 'GET',
    path: '/directory',
    roles: ['admin'],
    input: directoryRules,
  }),
  exportDirectory: serviceEndpoint<DirectoryExport, string>({
    method: 'GET',
    path: '/directory.csv',
    roles: ['admin'],
    input: directoryExportRules,
  }),
  countDirectory: serviceEndpoint<Record<never, never>, { data: DirectoryTotals }>({
    method: 'GET',
    path: '/directory/totals',
    roles: ['admin'],
  }),
  listNewest: serviceEndpoint<{ limit?: number }, { data: DirectoryRow[] }>({
    method: 'GET',
    path: '/directory/newest',
    roles: ['admin'],
    input: newestRules,
  }),
} as const;
