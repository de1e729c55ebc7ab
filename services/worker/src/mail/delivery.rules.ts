// The meaning of SendGrid's events (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event): the state of an email, and
// whether its address is suppressed. Events arrive in any order and repeatedly, so the most conclusive state of an email counts.
import type { SuppressionKind, UnsubscribableKind } from '@shortlist/contracts/api/email';
import type { EmailState, UnsentReason } from '@shortlist/contracts/api/timeline';
import type { Template } from './mail-data.ts';

/**
 * From least to most conclusive. `deferred`: SendGrid tries again; `blocked`: refused this time, perhaps not the next; `dropped`: SendGrid did
 * not try.
 */
export const DELIVERY_STATES = [
  'deferred',
  'blocked',
  'delivered',
  'dropped',
  'bounced',
  'complained',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The states that this one replaces; an email without a state takes any. */
export const weakerThan = (state: DeliveryState): readonly DeliveryState[] =>
  DELIVERY_STATES.slice(0, DELIVERY_STATES.indexOf(state));

/** The relevant fields of an event. `mailId`: the id that was sent along with the email; `email`: its recipient. */
export type ProviderEvent = {
  kind: string;
  type: string;
  reason: string;
  email: string;
  mailId: string;
  at: Date;
};

/** The states by kind of event; other kinds, such as `processed` and `open`, are ignored. */
const STATES: Readonly<Record<string, DeliveryState>> = {
  deferred: 'deferred',
  delivered: 'delivered',
  dropped: 'dropped',
  bounce: 'bounced',
  spamreport: 'complained',
};

/** The state of the email after an event; null if the event is irrelevant. */
export const stateOf = ({ kind, type }: Pick<ProviderEvent, 'kind' | 'type'>): DeliveryState | null => {
  if (kind === 'bounce' && type === 'blocked') return 'blocked';
  return Object.hasOwn(STATES, kind) ? (STATES[kind] ?? null) : null;
};

const SHOWN_DELIVERY: Readonly<Record<DeliveryState, EmailState>> = {
  deferred: 'delayed',
  blocked: 'not_delivered',
  delivered: 'delivered',
  dropped: 'not_delivered',
  bounced: 'not_delivered',
  complained: 'complained',
};

export const MAIL_STATUSES = ['pending', 'sending', 'sent', 'failed', 'skipped', 'undeliverable'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

const SHOWN_STATUS: Readonly<Record<MailStatus, EmailState>> = {
  pending: 'waiting',
  sending: 'waiting',
  sent: 'sent',
  failed: 'not_sent',
  skipped: 'not_sent',
  undeliverable: 'not_sent',
};

/** What an admin reads about an email: the provider's word on it, or ours before there is one. */
export const shownState = (mail: { status: MailStatus; delivery: DeliveryState | null }): EmailState =>
  mail.delivery === null ? SHOWN_STATUS[mail.status] : SHOWN_DELIVERY[mail.delivery];

/** The error of an email whose reader turned off its kind before it was sent. */
export const TURNED_OFF = 'the user turned these emails off';

/** Why an email was not sent, where its state does not say it. */
export const unsentReason = (mail: {
  status: MailStatus;
  lastError: string | null;
}): UnsentReason | undefined =>
  mail.status === 'skipped' && mail.lastError === TURNED_OFF ? 'turned_off' : undefined;

/** The reasons for which SendGrid drops an email because of its address; others, such as an exceeded quota, are not about the address. */
const DROPS: readonly [RegExp, SuppressionKind][] = [
  [/^(bounced address|invalid)/i, 'bounced'],
  [/^spam reporting address/i, 'complained'],
];

/** Why the address is suppressed after an event; null if it is not. */
export const suppressionOf = (
  state: DeliveryState,
  { reason }: Pick<ProviderEvent, 'reason'>,
): SuppressionKind | null => {
  if (state === 'bounced' || state === 'complained') return state;
  if (state !== 'dropped') return null;
  return DROPS.find(([pattern]) => pattern.test(reason.trim()))?.[1] ?? null;
};

/** The longest reason that is stored. */
export const REASON_MAX = 200;

/** A foreign server's message as one line of text without HTML. */
export const cleanReason = (reason: string): string => {
  const plain = reason
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029<>]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].slice(0, REASON_MAX).join('');
};

/**
 * What an email is for. `protection`: it protects the account, so a user who reported another email as spam is still notified of a changed
 * password, and gets a requested link; a bounced address gets none, because no one would read them. `transaction`: the user or the account caused
 * it. The others are of a kind that the user can turn off.
 */
const PURPOSES: Readonly<Record<Template, 'protection' | 'transaction' | UnsubscribableKind>> = {
  welcome: 'transaction',
  verify_email: 'transaction',
  confirm_reminder: 'transaction',
  confirm_registration: 'transaction',
  password_reset: 'protection',
  confirm_new_email: 'transaction',
  email_taken: 'transaction',
  message: 'transaction',
  news: 'news',
  test: 'transaction',
  example: 'transaction',
  email_change_started: 'protection',
  email_changed: 'protection',
  password_changed: 'protection',
  admin_invitation: 'transaction',
  invitation_sent: 'transaction',
  owner_added: 'transaction',
  receipt: 'transaction',
  payment_failed: 'transaction',
  pack_bought: 'transaction',
  plan_granted: 'transaction',
  plan_revoked: 'transaction',
  renewal_stopped: 'transaction',
  renewal_resumed: 'transaction',
  card_expiring: 'transaction',
  trial_ending: 'transaction',
  credits_low: 'credits',
  credits_exhausted: 'credits',
  credits_granted: 'transaction',
  two_step_on: 'protection',
  two_step_off: 'protection',
  passkey_added: 'protection',
  passkey_removed: 'protection',
  recovery_codes_renewed: 'protection',
  recovery_code_used: 'protection',
  api_key_created: 'protection',
  webhook_created: 'protection',
  webhook_failing: 'transaction',
  webhook_stopped: 'transaction',
  tool_connected: 'protection',
  tool_ended: 'protection',
  new_device: 'protection',
  login_locked: 'protection',
  second_factors_refused: 'protection',
  deletion_requested: 'protection',
  deletion_approaching: 'protection',
  deletion_cancelled: 'transaction',
  account_deleted: 'transaction',
  data_ready: 'transaction',
  alert: 'transaction',
};

/** Whether an email is sent to an address whose owner reported another one as spam. */
export const isSentDespiteComplaint = (template: Template): boolean => PURPOSES[template] === 'protection';

/** The kind of emails that the reader of this one can turn off; null for one that cannot be turned off. */
export const unsubscribableKindOf = (template: Template): UnsubscribableKind | null => {
  const purpose = PURPOSES[template];
  return purpose === 'protection' || purpose === 'transaction' ? null : purpose;
};

export const isStopped = (template: Template, kind: SuppressionKind | null): boolean =>
  kind === 'bounced' || (kind === 'complained' && !isSentDespiteComplaint(template));
