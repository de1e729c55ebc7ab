import Joi from 'joi';
import { defineEvent } from './define.ts';

export type ProfileUpdated = {
  version: number;
  email: string;
  firstName: string;
  lastName: string;
  organizationName: string;
};

export const profileUpdated = defineEvent<ProfileUpdated>('profile.ProfileUpdated.v1', {
  summary: 'A profile was edited.',
  data: Joi.object<ProfileUpdated, true>({
    version: Joi.number().integer().required(),
    email: Joi.string().required(),
    firstName: Joi.string().required(),
    lastName: Joi.string().required(),
    organizationName: Joi.string().required(),
  }),
});
