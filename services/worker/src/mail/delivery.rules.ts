// What SendGrid's events say of a mail (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event), and whether anything is
// sent to its address again. Events arrive in any order and more than once: of one mail the state that says most counts, which no repetition
// changes.
import type { SuppressionKind } from '@shortlist/contracts/api/email';
import type { Template } from './mail-data.ts';

/**
 * From what says least to what says most. `deferred`: SendGrid tries again; `blocked`: refused this time, perhaps not the next;
 * `dropped`: SendGrid did not try.
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

/** The states that an event with this one replaces; a mail without a state takes any. */
export const weakerThan = (state: DeliveryState): readonly DeliveryState[] =>
  DELIVERY_STATES.slice(0, DELIVERY_STATES.indexOf(state));

/** What is read of an event. `mailId`: the id that went along with the mail, of which `email` is the recipient. */
export type ProviderEvent = {
  kind: string;
  type: string;
  reason: string;
  email: string;
  mailId: string;
  at: Date;
};

/** The states of the kinds of events; other kinds, such as `processed` and `open`, say nothing here. */
const STATES: Readonly<Record<string, DeliveryState>> = {
  deferred: 'deferred',
  delivered: 'delivered',
  dropped: 'dropped',
  bounce: 'bounced',
  spamreport: 'complained',
};

/** The state of the mail after an event; null for an event that says nothing of it. */
export const stateOf = ({ kind, type }: Pick<ProviderEvent, 'kind' | 'type'>): DeliveryState | null => {
  if (kind === 'bounce' && type === 'blocked') return 'blocked';
  return Object.hasOwn(STATES, kind) ? (STATES[kind] ?? null) : null;
};

/** Why SendGrid drops a mail on account of its address. Other reasons, such as a used-up quota, are no property of the address. */
const DROPS: readonly [RegExp, SuppressionKind][] = [
  [/^(bounced address|invalid)/i, 'bounced'],
  [/^spam reporting address/i, 'complained'],
];

/** Why nothing is to be sent to the address after an event; null when mails may go there as before. */
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

/** What a foreign server said, as one line of text without a mark of HTML. */
export const cleanReason = (reason: string): string => {
  const plain = reason
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029<>]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].slice(0, REASON_MAX).join('');
};

/**
 * The mails that protect an account: who complained about another mail still learns of a changed password, and gets a link that was asked
 * for. A bounced address gets none, as nobody would read them.
 */
const DESPITE_COMPLAINT: ReadonlySet<Template> = new Set([
  'password_reset',
  'password_changed',
  'email_change_started',
  'email_changed',
  'two_step_on',
  'two_step_off',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_renewed',
  'recovery_code_used',
  'api_key_created',
  'webhook_created',
  'tool_connected',
  'tool_ended',
  'new_device',
  'login_locked',
  'second_factors_refused',
  'deletion_requested',
  'deletion_approaching',
]);

/** Whether a mail goes to an address whose owner reported another one as spam. */
export const isSentDespiteComplaint = (template: Template): boolean => DESPITE_COMPLAINT.has(template);

export const isStopped = (template: Template, kind: SuppressionKind | null): boolean =>
  kind === 'bounced' || (kind === 'complained' && !isSentDespiteComplaint(template));
