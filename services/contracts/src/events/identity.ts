import Joi from 'joi';
import type { AdminFields, ProfileFields } from '../schemas/account.ts';
import { time } from '../schemas/text.ts';
import { defineEvent } from './define.ts';

export type UserRegistered = ProfileFields &
  AdminFields & { email: string; picture: string | null; createdAt: string };
export type PasswordChanged = { by: string };
export type UserDeleted = { by: string };

const text = Joi.string().required();

export const userRegistered = defineEvent<UserRegistered>('identity.UserRegistered.v1', {
  summary: 'An account was created. Carries the profile fields, never a password.',
  data: Joi.object<UserRegistered, true>({
    email: text,
    firstName: text,
    lastName: text,
    organizationName: text,
    typeOfOrganization: text,
    primaryRecruitingIndustry: text,
    country: text,
    city: text,
    linkedin: Joi.string().allow('').required(),
    picture: Joi.string().allow(null).required(),
    roleType: Joi.string().allow(''),
    createdAt: time,
  }),
});

export const passwordChanged = defineEvent<PasswordChanged>('identity.PasswordChanged.v1', {
  summary: 'A password was changed, by the user or by an admin: every session of the user ends.',
  data: Joi.object<PasswordChanged, true>({ by: text }),
});

export const userDeleted = defineEvent<UserDeleted>('identity.UserDeleted.v1', {
  summary: 'An account was deleted for good. Later events about the user recreate nothing.',
  data: Joi.object<UserDeleted, true>({ by: text }),
});
