import Joi from 'joi';
import { ADMIN_ROLES } from '../admin-permissions.ts';
import { PARTY_KINDS } from '../audit-log.ts';
import { AUDIT_PAGE_MAX, AUDIT_PERSON_MAX, DIRECTORY_SEARCH_MAX } from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import { forAdmins, operationsOf } from './operation.ts';

const id = rule.optionalText(Joi.string().guid().messages({ 'string.guid': 'Must be an ID' }));

// MariaDB refuses to compare an ASCII column with a string that is not ASCII.
const asciiText = (max: number) =>
  rule.optionalText(
    Joi.string()
      .pattern(/^[\x21-\x7e]+$/)
      .max(max)
      .messages({ 'string.pattern.base': 'Must be written in plain letters' }),
  );

const instant = rule.optionalText(Joi.string().isoDate());
const idOfSome = rule.mayLack(rule.idList(AUDIT_PERSON_MAX));

/** The filters of the audit log, the same in each service and bff. `from` (inclusive) and `to` (exclusive) are ISO 8601. */
const filters = {
  targetId: id,
  actorId: id,
  action: asciiText(60),
  address: asciiText(45),
  from: instant,
  to: instant,
};
const limit = rule.mayLack(rule.wholeNumber.min(1).max(AUDIT_PAGE_MAX));
/** The time and the id of the last entry of the page before; pages of the release before have the id alone. */
const cursor = rule.optionalText(
  Joi.string()
    .pattern(/^(\d{1,14}\.)?[0-9a-f-]{36}$/)
    .messages({ 'string.pattern.base': 'Must be the cursor of a page' }),
);
const person = rule.optionalText(Joi.string().trim().max(DIRECTORY_SEARCH_MAX));

/**
 * `actors`, `targets`: ids separated by commas, any of which may match. `before` and `beforeAt`: the id and the time of an entry, which select older
 * ones.
 */
const auditQuery = { ...filters, before: id, beforeAt: instant, limit, actors: idOfSome, targets: idOfSome };
export type AuditQuery = rule.TypeOf<typeof auditQuery>;

/** `by`, `about`: a name, the start of an email, or an id: of the actor and of the target. */
const auditFilters = { ...filters, by: person, about: person };
export type AuditFilters = rule.TypeOf<typeof auditFilters>;
export const auditSearch = { ...auditFilters, before: cursor, limit };
export type AuditSearch = rule.TypeOf<typeof auditSearch>;

/** The actor of a change that the product made on its own, such as the refund of a deleted user's payment. */
export const SYSTEM_ACTOR_ID = '00000000-0000-0000-0000-000000000000';

/** A person in an entry, with today's data. `name` is null if only the kind is known. */
const partyView = rule.view({
  kind: rule.oneOf(PARTY_KINDS),
  name: rule.nullable(rule.text),
  email: rule.nullable(rule.text),
  /** The current role of an admin; null for others and while suspended. */
  role: rule.nullable(rule.oneOf(ADMIN_ROLES)),
});
export type AuditParty = rule.TypeOf<typeof partyView>;

/** The changed fields, which differ from action to action. */
const changedFields = rule.ofType<object | null>(Joi.object().unknown().allow(null).required());

const entry = {
  id: rule.uuid,
  at: rule.time,
  actorId: rule.uuid,
  address: rule.text,
  action: rule.text,
  targetId: rule.text,
  before: changedFields,
  after: changedFields,
};
/** One change by an admin or by the product itself. `before` and `after` are the changed fields, without secrets; null where there is no such state. */
export type AuditEntry = rule.TypeOf<typeof entry>;

export const auditEntry = rule.view(entry);

export const auditView = rule.view({ ...entry, actor: partyView, target: partyView });
export type AuditView = rule.TypeOf<typeof auditView>;

/** The same operation at each service that records changes; bff merges their entries. */
export const auditEndpoint = operationsOf('each')('GET /audit', {
  roles: ['admin'],
  input: auditQuery,
  reply: { data: rule.listOf(auditEntry) },
});

/** Records that an admin exported the log. Searched names are left out, because nothing would redact them. */
const exportRecord = { ...filters, isSearch: rule.mayLack(rule.flag) };

export const auditExportEndpoint = operationsOf('identity')('POST /audit/exports', {
  roles: ['admin'],
  input: exportRecord,
  reply: {},
});

export const publicAuditEndpoints = {
  audit: forAdmins('GET /api/admin/audit', {
    permission: 'audit.read',
    input: auditSearch,
    reply: { data: rule.listOf(auditView), next: rule.nextCursor },
  }),
  exportAudit: forAdmins('GET /api/admin/audit.csv', {
    permission: 'audit.export',
    recent: true,
    input: auditFilters,
    reply: 'text',
  }),
} as const;
