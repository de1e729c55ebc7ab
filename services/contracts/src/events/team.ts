import Joi from 'joi';
import { ADMIN_ROLES, type AdminAccess, type AdminRole } from '../admin-permissions.ts';
import { defineEvent } from './define.ts';
import { generation } from './generation.ts';

export type AdminInvited = { role: AdminRole; by: string };
export type OwnerAdded = { by: string };
export type AdminAccessChanged = AdminAccess & { by: string; generation: number };

const text = Joi.string().required();
const role = Joi.string().valid(...ADMIN_ROLES);

export const adminInvited = defineEvent<AdminInvited>('identity.AdminInvited.v1', {
  summary:
    'An invitation to the panel is to be mailed, the first time or again. The subject is the invitation.',
  data: Joi.object<AdminInvited, true>({ role: role.required(), by: text }),
});

export const adminAccessChanged = defineEvent<AdminAccessChanged>('identity.AdminAccessChanged.v1', {
  summary:
    'What an admin may do has changed: a new admin, another role, a suspension or its end, or a removal. A null role is no access, and ends every session. An older version changes nothing.',
  data: Joi.object<AdminAccessChanged, true>({
    role: role.allow(null).required(),
    version: Joi.number().integer().min(0).required(),
    by: text,
    generation,
  }),
});

export const ownerAdded = defineEvent<OwnerAdded>('identity.OwnerAdded.v1', {
  summary:
    'An admin has become an owner: by an accepted invitation, by another role, by the end of a suspension, or by the operator, who has the id of the product.',
  data: Joi.object<OwnerAdded, true>({ by: text }),
});
