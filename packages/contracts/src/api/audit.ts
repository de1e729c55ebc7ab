import Joi from 'joi';
import { ADMIN_ROLES } from '../admin-permissions.ts';
import { PARTY_KINDS } from '../audit-log.ts';
import { AUDIT_PAGE_MAX, AUDIT_PERSON_MAX, DIRECTORY_SEARCH_MAX } from '../limits.ts';
import {
  ofType,
  listOf,
  nextCursor,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { idList, wholeNumber } from '../schemas/validation.ts';
import { forAdmins } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

/** `from` (inclusive) and `to` (exclusive) are ISO 8601. */
type Filters = {
  targetId?: string;
  actorId?: string;
  action?: string;
  address?: string;
  from?: string;
  to?: string;
};

/** `before` is an entry's id and selects older ones. */
type Paging = { before?: string; limit?: number };

/** `actors`, `targets`: one of these ids, which are separated by commas. */
export type AuditQuery = Filters & Paging & { actors?: string; targets?: string };

/** `by`, `about`: a name, the start of an e-mail address, or an id of who acted and of whom it was about. */
export type AuditFilters = Filters & { by?: string; about?: string };
export type AuditSearch = AuditFilters & Paging;

const id = Joi.string().guid().empty('').messages({ 'string.guid': 'Must be an id' });

// MariaDB refuses to compare an ASCII column with a string that is not ASCII.
const asciiText = Joi.string()
  .pattern(/^[\x21-\x7e]+$/)
  .empty('')
  .messages({ 'string.pattern.base': 'Must be written in plain letters' });

const instant = Joi.string().isoDate().empty('');

/** The filters of the audit log, the same at each service and at bff. */
const filters: Joi.StrictSchemaMap<Filters> = {
  targetId: id,
  actorId: id,
  action: asciiText.max(60),
  address: asciiText.max(45),
  from: instant,
  to: instant,
};
const paging: Joi.StrictSchemaMap<Paging> = {
  before: id,
  limit: wholeNumber.min(1).max(AUDIT_PAGE_MAX),
};
const person = Joi.string().trim().max(DIRECTORY_SEARCH_MAX).empty('');

const auditFilters: Joi.StrictSchemaMap<AuditFilters> = { ...filters, by: person, about: person };
export const auditSearch: Joi.StrictSchemaMap<AuditSearch> = { ...auditFilters, ...paging };

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

/** A person whom an entry names, as the product knows them today. `name` is null where only the kind is known. */
const partyView = view({
  kind: oneOf(PARTY_KINDS),
  name: nullable(text),
  email: nullable(text),
  /** The role that an admin has now; null for others, and while suspended. */
  role: nullable(oneOf(ADMIN_ROLES)),
});
export type AuditParty = TypeOf<typeof partyView>;

/** The changed fields, which differ from action to action. */
const changedFields = ofType<object | null>(Joi.object().unknown().allow(null).required());

const auditEntry = view({
  id: uuid,
  at: time,
  actorId: uuid,
  actor: partyView,
  address: text,
  action: text,
  targetId: text,
  target: partyView,
  before: changedFields,
  after: changedFields,
});
export type AuditView = TypeOf<typeof auditEntry>;

/** The same endpoint at each service that records changes; bff merges their entries. */
export const auditEndpoint = serviceEndpoint<AuditQuery, { data: AuditEntry[] }>({
  method: 'GET',
  path: '/audit',
  roles: ['admin'],
  input: {
    ...filters,
    ...paging,
    actors: idList(AUDIT_PERSON_MAX),
    targets: idList(AUDIT_PERSON_MAX),
  },
});

/** identity's record that an admin exported the log. Searched names are not recorded: nothing would redact them. */
export type AuditExportRecord = Omit<AuditFilters, 'by' | 'about'> & { isSearch?: boolean };

export const auditExportEndpoint = serviceEndpoint<AuditExportRecord, None>({
  method: 'POST',
  path: '/audit/exports',
  roles: ['admin'],
  input: { ...filters, isSearch: Joi.boolean() },
});

/** The log of all services, for admins. */
export const publicAuditEndpoints = {
  audit: forAdmins<AuditSearch, { data: AuditView[]; next: string | null }>({
    method: 'GET',
    path: '/api/admin/audit',
    permission: 'audit.read',
    input: auditSearch,
    reply: { data: listOf(auditEntry), next: nextCursor },
  }),
  exportAudit: forAdmins<AuditFilters, string>({
    method: 'GET',
    path: '/api/admin/audit.csv',
    permission: 'audit.export',
    recent: true,
    input: auditFilters,
    reply: null,
  }),
} as const;
