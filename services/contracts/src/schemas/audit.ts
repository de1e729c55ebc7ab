import Joi from 'joi';
import { AUDIT_PAGE_MAX } from '../limits.ts';
import { wholeNumber } from './text.ts';

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
