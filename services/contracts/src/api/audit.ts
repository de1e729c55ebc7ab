import Joi from 'joi';
import { type AuditQuery, auditQuerySchema } from '../schemas/admin.ts';
import { nullableText, text, view } from '../schemas/replies.ts';
import { time, uuid } from '../schemas/text.ts';
import { serviceEndpoint } from './service-endpoint.ts';

/** The actor of a change that the product made by itself, such as the refund of a deleted user's payment. */
export const SYSTEM_ACTOR_ID = '00000000-0000-0000-0000-000000000000';

/** One change by an admin or by the product itself. `before` and `after` are the changed fields, without secrets; null where there is no such state. */
export type AuditEntry = {
  id: string;
  at: string;
  actorId: string;
  address: string;
  action: string;
  targetId: string;
  before: object | null;
  after: object | null;
};

/** An entry with its actor's e-mail address; null for an admin whose account no longer exists. */
export type AuditView = AuditEntry & { actorEmail: string | null };

/** The changed fields, which differ from action to action. */
const changedFields = Joi.object().unknown().allow(null).required();
export const auditEntry = view<AuditView>({
  id: uuid,
  at: time,
  actorId: uuid,
  actorEmail: nullableText,
  address: text,
  action: text,
  targetId: text,
  before: changedFields,
  after: changedFields,
});

/** The same endpoint at each service that records changes; bff merges their entries. */
export const auditEndpoint = serviceEndpoint<AuditQuery, { data: AuditEntry[] }>({
  method: 'GET',
  path: '/audit',
  roles: ['admin'],
  input: auditQuerySchema,
});
