// The meaning of SendGrid's events (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event): the state of an email, and
// whether its address is suppressed. Events arrive in any order and repeatedly, so the most conclusive state of an email counts.
import type { SuppressionKind } from '@shortlist/contracts/api/email';
import type { EmailState } from '@shortlist/contracts/api/timeline';
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
 * Whether an email protects the account: a user who reported another email as spam is still notified of a changed password, and gets a requested
 * link. A bounced address gets none, because no one would read them.
 */
const DESPITE_COMPLAINT: Readonly<Record<Template, boolean>> = {
  welcome: false,
  verify_email: false,
  confirm_reminder: false,
  confirm_registration: false,
  password_reset: true,
  confirm_new_email: false,
  email_taken: false,
  message: false,
  test: false,
  email_change_started: true,
  email_changed: true,
  password_changed: true,
  admin_invitation: false,
  invitation_sent: false,
  owner_added: false,
  receipt: false,
  payment_failed: false,
  pack_bought: false,
  plan_granted: false,
  plan_revoked: false,
  renewal_stopped: false,
  renewal_resumed: false,
  card_expiring: false,
  credits_low: false,
  credits_exhausted: false,
  credits_granted: false,
  two_step_on: true,
  two_step_off: true,
  passkey_added: true,
  passkey_removed: true,
  recovery_codes_renewed: true,
  recovery_code_used: true,
  api_key_created: true,
  webhook_created: true,
  webhook_failing: false,
  webhook_stopped: false,
  tool_connected: true,
  tool_ended: true,
  new_device: true,
  login_locked: true,
  second_factors_refused: true,
  deletion_requested: true,
  deletion_approaching: true,
  deletion_cancelled: false,
  account_deleted: false,
  data_ready: false,
  alert: false,
};

/** Whether an email is sent to an address whose owner reported another one as spam. */
export const isSentDespiteComplaint = (template: Template): boolean => DESPITE_COMPLAINT[template];

export const isStopped = (template: Template, kind: SuppressionKind | null): boolean =>
  kind === 'bounced' || (kind === 'complained' && !isSentDespiteComplaint(template));
