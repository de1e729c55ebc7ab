import { ADMIN_ROLES } from '@shortlist/contracts/admin-permissions';
import type { AuditEntry } from '@shortlist/contracts/api/audit';
import { PROFILE_FIELDS } from '@shortlist/contracts/profile-fields';
import { longDay } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { auditText } from '../../messages/audit.ts';

/** The parsed state of an audit entry. Its values are those of the version that wrote it, so none is taken for granted. */
type State = Record<string, unknown>;

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null;

const stateOf = (value: unknown): State => (isState(value) ? value : {});

/** A value as text; null without one. */
const textOf = (state: State, name: string): string | null => {
  const value = state[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
};

/** The end of premium in a plan state: that of the paid or of the granted period, whichever is later. */
const premiumEnd = (state: State): string | null => {
  const ends = ['paid', 'granted'].map((name) => textOf(stateOf(state[name]), 'end'));
  return ends.reduce((latest, end) => (latest === null || (end !== null && end > latest) ? end : latest));
};

type Change = { before: State; after: State };
type Described = Pick<AuditEntry, 'action' | 'before' | 'after'>;

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T/;

/** A day in words; the time of a deleted user's entry is redacted. */
const dayOf = (time: string): string => (TIMESTAMP.test(time) ? longDay(time) : auditText('redacted'));

const FIELDS = [{ name: 'email', label: auditText('email') }, ...PROFILE_FIELDS];

const describePicture = (before: string | null, after: string | null): string[] => {
  if (before === after) return [];
  if (before === null) return [auditText('pictureAdded')];
  return [auditText(after === null ? 'pictureRemoved' : 'pictureReplaced')];
};

const describeField = (field: string, before: string | null, after: string | null): string[] => {
  if (before === after) return [];
  if (after === null) return [auditText('removed', { field, before: before ?? '' })];
  if (before === null) return [auditText('added', { field, value: after })];
  return [auditText('changed', { field, before, after })];
};

const describeProfile = ({ before, after }: Change): string[] => [
  ...FIELDS.flatMap(({ name, label }) => describeField(label, textOf(before, name), textOf(after, name))),
  ...describePicture(textOf(before, 'picture'), textOf(after, 'picture')),
];

const describeAccount = ({ after }: Change): string[] => [
  ...FIELDS.flatMap(({ name, label }) => {
    const value = textOf(after, name);
    return value === null ? [] : [auditText('initial', { field: label, value })];
  }),
  ...describePicture(null, textOf(after, 'picture')),
];

const endIn = (key: 'premiumUntil' | 'premiumThenFree', { after }: Change): string[] => {
  const end = premiumEnd(after);
  return end === null ? [] : [auditText(key, { day: dayOf(end) })];
};

/** The plan would have lasted until its end before; after the revocation that end is the time of the revocation. */
const describeRevocation = ({ before, after }: Change): string[] => {
  const [planned, actual] = [premiumEnd(before), premiumEnd(after)];
  if (planned === null || planned === actual) return [auditText('premiumEnded')];
  return [auditText('premiumEndedEarly', { day: dayOf(planned) })];
};

const describeRefund = ({ after }: Change): string[] => {
  const [amount, currency] = [after['refunded'], textOf(after, 'currency')];
  return typeof amount === 'number' && currency !== null && /^[a-z]{3}$/.test(currency)
    ? [auditText('refunded', { amount: money(amount, currency) })]
    : [];
};

const describeConsent = ({ after }: Change): string[] => {
  const version = textOf(after, 'termsVersion');
  return version === null ? [] : [auditText('terms', { version })];
};

const describeExport = ({ after }: Change): string[] => {
  const [plan, country] = [textOf(after, 'plan'), textOf(after, 'country')];
  const [from, to] = [textOf(after, 'joinedFrom'), textOf(after, 'joinedTo')];
  const filters = [
    after['isSearch'] === true && auditText('exportSearch'),
    plan !== null && auditText('exportPlan', { plan }),
    country !== null && auditText('exportCountry', { country }),
    from !== null && auditText('exportFrom', { day: dayOf(from) }),
    to !== null && auditText('exportTo', { day: dayOf(to) }),
  ].filter((filter) => filter !== false);
  return filters.length === 0 ? [auditText('exportAll')] : filters;
};

const describeFactor = ({ before, after }: Change): string[] => {
  const factor = textOf(before, 'factor') ?? textOf(after, 'factor');
  return factor === 'totp' || factor === 'passkey' ? [auditText(factor)] : [];
};

const roleOf = (state: State): string | null => {
  const role = ADMIN_ROLES.find((name) => name === textOf(state, 'role'));
  return role === undefined ? null : auditText(role);
};

const describeRole = (before: string | null, after: string | null): string[] => {
  const field = auditText('role');
  if (before !== null && after !== null) return [auditText('changed', { field, before, after })];
  const value = before ?? after;
  return value === null ? [] : [auditText('initial', { field, value })];
};

/** The e-mail address and the role of an admin. */
const describeTeam = ({ before, after }: Change): string[] => {
  const value = textOf(before, 'email') ?? textOf(after, 'email');
  const email = value === null ? [] : [auditText('initial', { field: auditText('email'), value })];
  return [...email, ...describeRole(roleOf(before), roleOf(after))];
};

const describeEmail = ({ before, after }: Change): string[] =>
  describeField(auditText('email'), textOf(before, 'email'), textOf(after, 'email'));

const describeNothing = (): string[] => [];

/** What each action did, beside its name. */
const ACTIONS = {
  'plan.grant': (change) => endIn('premiumUntil', change),
  'plan.revoke': describeRevocation,
  'plan.end_renewal': (change) => endIn('premiumThenFree', change),
  'alert.resolve': describeNothing,
  'account.create': describeAccount,
  'account.set_password': describeNothing,
  'account.change_email': describeEmail,
  'account.undo_email_change': describeEmail,
  'account.end_sessions': describeNothing,
  'account.delete': describeNothing,
  'profile.update': describeProfile,
  'payment.refund': describeRefund,
  'admin.log_in': describeNothing,
  'factor.add': describeFactor,
  'factor.remove': describeFactor,
  'factor.renew_codes': describeNothing,
  'factor.refuse_passkey': describeNothing,
  'account.view': describeNothing,
  'email.request_verification': describeNothing,
  'team.invite': describeTeam,
  'team.resend_invitation': describeTeam,
  'team.cancel_invitation': describeTeam,
  'team.create': describeTeam,
  'team.join': describeTeam,
  'team.change_role': describeTeam,
  'team.suspend': describeNothing,
  'team.restore': describeNothing,
  'team.remove': describeTeam,
  'users.export': describeExport,
  'terms.accept': describeConsent,
} as const satisfies Record<string, (change: Change) => string[]>;

type Action = keyof typeof ACTIONS;

/** The known actions, in the order of the filter. */
export const ACTION_NAMES = Object.keys(ACTIONS) as Action[];

const isAction = (action: string): action is Action => Object.hasOwn(ACTIONS, action);

/** An audit entry in words: its title, and one sentence for each thing that it changed. */
export const describeEntry = ({ action, before, after }: Described): { title: string; details: string[] } => {
  if (!isAction(action)) return { title: auditText('other', { action }), details: [] };
  const change = { before: stateOf(before), after: stateOf(after) };
  const reason = textOf(change.after, 'reason');
  const details = ACTIONS[action](change);
  return {
    title: auditText(action),
    details: reason === null ? details : [...details, auditText('reason', { reason })],
  };
};
