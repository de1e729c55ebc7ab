import Joi from 'joi';
import { AUDIT_PAGE_MAX } from '../limits.ts';
import { nullableText, text, time, uuid, view, wholeNumber } from '../schemas/parts.ts';
import { serviceEndpoint } from './service-endpoint.ts';

/** `from` (inclusive) and `to` (exclusive) are ISO 8601; `before` is an entry's id and selects older ones. */
export type AuditQuery = {
  targetId?: string;
  actorId?: string;
  action?: string;
  address?: string;
  from?: string;
  to?: string;
  before?: string;
  limit?: number;
};

const id = Joi.string().guid().empty('').messages({ 'string.guid': 'Must be an id' });

// MariaDB refuses to compare an ASCII column with a string that is not ASCII.
const asciiText = Joi.string()
  .pattern(/^[\x21-\x7e]+$/)
  .empty('')
  .messages({ 'string.pattern.base': 'Must be written in plain letters' });

const instant = Joi.string().isoDate().empty('');

/** The filters of the audit log, the same at each service and at bff. */
export const auditQuerySchema = Joi.object<AuditQuery, true>({
  targetId: id,
  actorId: id,
  action: asciiText.max(60),
  address: asciiText.max(45),
  from: instant,
  to: instant,
  before: id,
  limit: wholeNumber.min(1).max(AUDIT_PAGE_MAX),
});

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
