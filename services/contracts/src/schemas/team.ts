import Joi from 'joi';
import { ADMIN_ROLES, type AdminRole } from '../admin-permissions.ts';
import { emailSchema } from './account.ts';

export const adminRole = Joi.string()
  .valid(...ADMIN_ROLES)
  .required()
  .messages({ '*': 'Please choose a role' }) as Joi.StringSchema<AdminRole>;

export type NewInvitation = { email: string; role: AdminRole };
export const newInvitation = Joi.object<NewInvitation, true>({ email: emailSchema, role: adminRole });
