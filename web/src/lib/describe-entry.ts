import { readableEmail } from '@shortlist/contracts/unicode';
import { ADMIN_ROLES, adminRoleText } from '@shortlist/contracts/admin-permissions';
import type { AuditEntry, AuditParty } from '@shortlist/contracts/api/audit';
import { actionTitle, type AuditAction, knownAction, partyText } from '@shortlist/contracts/audit-log';
import { PROFILE_FIELDS } from '@shortlist/contracts/profile-fields';
import { tableTime, tableDate } from './dates.ts';
import { money } from './money.ts';
import { auditText } from '../messages/audit.ts';

/** Someone without a name is named by the email; those who are gone are told apart by the end of their id. */
export const partyName = ({ kind, name }: AuditParty, id: string): string => {
  if (name !== null) return readableEmail(name);
  const isGone = kind === 'former_admin' || kind === 'deleted_user';
  return isGone ? auditText('gone', { who: partyText(kind), id: id.slice(-4) }) : partyText(kind);
};

/** The parsed state of an audit entry. Its values are those of the version that wrote it, so none is taken for granted. */
type State = Record<string, unknown>;

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null;

const stateOf = (value: unknown): State => (isState(value) ? value : {});

/** A text that is not empty. */
const textIn = (state: State, name: string): string | null => {
  const value = state[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const REDACTED = '(redacted)';
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T/;

const timeIn = (text: string, format: (iso: string) => string): string => {
  if (text === REDACTED) return auditText('redacted');
  return TIMESTAMP.test(text) ? format(text) : text;
};

const roleName = (value: string): string => {
  const role = ADMIN_ROLES.find((name) => name === value);
  return role === undefined ? value : adminRoleText(role);
};

const sum = (value: unknown, { currency }: State): string | null =>
  typeof value === 'number' && typeof currency === 'string' && currency !== REDACTED
    ? money(value, currency)
    : null;

/** How the values of these fields are written. */
const FORMATS: Record<string, (value: unknown, state: State) => string | null> = {
  role: (value) => roleName(String(value)),
  picture: (value) => auditText(value === REDACTED ? 'redacted' : 'hasPicture'),
  factor: (value) => (value === 'totp' || value === 'passkey' ? auditText(value) : null),
  action: (value) => actionTitle(String(value)),
  amount: sum,
  refunded: sum,
};

const plainValue = (value: unknown): string | null => {
  if (typeof value === 'boolean') return auditText(value ? 'yes' : 'no');
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? readableEmail(timeIn(value, tableTime)) : null;
};

/** A value in words; null for one that is empty or cannot be written in a line. */
const valueOf = (name: string, state: State): string | null => {
  const { [name]: value } = state;
  if (value === undefined || value === null || value === '') return null;
  return FORMATS[name]?.(value, state) ?? plainValue(value);
};

const LABELS: Record<string, string> = {
  ...Object.fromEntries(PROFILE_FIELDS.map(({ name, label }) => [name, label])),
  dueAt: auditText('dueAt'),
  factor: auditText('factor'),
  from: auditText('fromDay'),
  isSearch: auditText('isSearch'),
  resolvedAt: auditText('resolved'),
  signCount: auditText('signCount'),
  termsVersion: auditText('termsVersion'),
  to: auditText('toDay'),
};

/** The words of a name: `lastSeenAt` is "Last seen at". */
const spelledOut = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What is shown elsewhere, or says nothing to a person. */
const HIDDEN = new Set(['id', 'version', 'reason', 'currency', 'createdAt', 'alertId', 'invoice']);

/** One field of an entry. Null: it had no value. */
export type DiffRow = { field: string; before: string | null; after: string | null };
type Change = { before: State; after: State };

const changedRow = (field: string, before: string | null, after: string | null): DiffRow[] =>
  before === after ? [] : [{ field, before, after }];

const changedFields = ({ before, after }: Change): DiffRow[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !HIDDEN.has(name))
    .flatMap((name) =>
      changedRow(LABELS[name] ?? spelledOut(name), valueOf(name, before), valueOf(name, after)),
    );

/** The end of premium in a plan state: that of the paid or of the granted period, whichever is later. */
const premiumEnd = (state: State): string | null => {
  const ends = ['paid', 'granted'].map((name) => textIn(stateOf(state[name]), 'end'));
  return ends.reduce((latest, end) => (latest === null || (end !== null && end > latest) ? end : latest));
};

const dayOf = (time: string | null): string | null => time && timeIn(time, tableDate);

type Content = { rows: DiffRow[]; notes: string[] };

const premium = ({ before, after }: Change): Content => ({
  rows: changedRow(auditText('premiumUntil'), dayOf(premiumEnd(before)), dayOf(premiumEnd(after))),
  notes: [],
});

const stoppedRenewal = ({ after }: Change): Content => {
  const day = dayOf(premiumEnd(after));
  return { rows: [], notes: day === null ? [] : [auditText('thenFree', { day })] };
};

const exported = (change: Change): Content => {
  const rows = changedFields(change);
  return { rows, notes: rows.length === 0 ? [auditText('everything')] : [] };
};

/** The actions whose states say more than their fields. */
const SPECIAL: Partial<Record<AuditAction, (change: Change) => Content>> = {
  'plan.grant': premium,
  'plan.revoke': premium,
  'plan.end_renewal': stoppedRenewal,
  'users.export': exported,
  'audit.export': exported,
};

/** An audit entry in words: its title, its reason, and what it changed. */
export const describeEntry = (
  entry: Pick<AuditEntry, 'action' | 'before' | 'after'>,
): Content & { title: string; reason: string | null } => {
  const change = { before: stateOf(entry.before), after: stateOf(entry.after) };
  const action = knownAction(entry.action);
  const special = action === null ? undefined : SPECIAL[action];
  const reason = textIn(change.after, 'reason');
  return {
    title: actionTitle(entry.action),
    reason: reason === REDACTED ? auditText('redacted') : reason,
    ...(special?.(change) ?? { rows: changedFields(change), notes: [] }),
  };
};
