import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { PlanEndReason } from '@shortlist/contracts/events/billing';
import type { WebhookStop } from '@shortlist/contracts/api/webhooks';
import type { AlertKind } from '@shortlist/contracts/api/billing';
import type { Interval, Plan } from '@shortlist/contracts/plan';
import type { Line } from './layout.ts';

type Nothing = Record<never, string>;
/** An email about a change of the address, which the secret in its link is for. */
type AboutChange = { reference: string };
/** `reason`: given by support, if it made the change. */
type FactorChange = { reason?: string };
type Attempt = { browser: string; system: string; place: string; at: string };
type AdminText = { subject: string; text: string };
type Payment = { invoiceId: string; amount: string; currency: string; paidAt: string; periodEnd: string };
/** Emails from before these were stored have none of them. `periodEnd` is the end of the plan, `invoicedUntil` the end of the invoice's period. */
type InvoiceDetails = {
  number: string;
  tax: string;
  invoicedFrom: string;
  invoicedUntil: string;
  pdfUrl: string;
};

/** The data stored with an email, by the value of the `template` column. Times are ISO dates; empty text is an unknown value. */
export type MailData = {
  /** Emails from before the name was stored have none. */
  welcome: { firstName?: string };
  verify_email: Nothing;
  confirm_reminder: { dueAt: string };
  confirm_registration: Nothing;
  password_reset: Nothing;
  confirm_new_email: AboutChange;
  email_taken: Nothing;
  /** Written by an admin, to each of many users: about the service. */
  message: AdminText;
  /** The same, to those who have not turned off news and tips. */
  news: AdminText;
  /** To an address that had bounced. */
  test: Nothing;
  /** Another email with the values of an example, to the admin who asked for it. */
  example: { name: string };
  email_change_started: AboutChange & { startedAt: string };
  email_changed: AboutChange & { changedAt: string };
  password_changed: { changedAt: string; changedBy: 'user' | 'admin' };
  admin_invitation: { role: AdminRole };
  invitation_sent: { role: AdminRole };
  owner_added: { by: string };
  receipt: Payment & Partial<InvoiceDetails>;
  /** `graceUntil` is empty once the grace is over, and `confirmUrl` if the bank requires no confirmation. */
  payment_failed: { graceUntil: string; confirmUrl: string };
  pack_bought: { credits: string; paidAt: string };
  plan_granted: { periodEnd: string };
  plan_revoked: { reason: PlanEndReason };
  /** `renewsUntil` is empty for a plan that does not renew. */
  renewal_stopped: { premiumUntil: string; renewsUntil: string };
  renewal_resumed: { periodEnd: string };
  /** `amount` is empty if it cannot be said in the currency of the subscription. */
  trial_ending: { endsAt: string; amount: string; currency: string; interval: Interval };
  /** `expires` is the card's last month, such as 2026-11. */
  card_expiring: { brand: string; last4: string; expires: string };
  /** `left`: in all buckets; `beside`: those not of the plan's period, empty in emails from before there were others. */
  credits_low: { plan: Plan; left: string; beside: string; limit: string; windowEnd: string };
  credits_exhausted: { limit: string; windowEnd: string };
  credits_granted: { credits: string; endsAt: string };
  two_step_on: FactorChange;
  two_step_off: FactorChange;
  passkey_added: FactorChange;
  passkey_removed: FactorChange;
  recovery_codes_renewed: FactorChange;
  recovery_code_used: { left: string; at: string };
  /** `scopes`: separated by commas. */
  api_key_created: { name: string; scopes: string; hint: string; createdAt: string };
  /** `host`: that of the URL; `events`: separated by commas. */
  webhook_created: { host: string; events: string; createdAt: string };
  webhook_failing: { host: string; since: string; stopsAt: string };
  webhook_stopped: { host: string; stop: WebhookStop };
  /** `name`: the app's. `device`: the app's name for its device. */
  tool_connected: { name: string; scopes: string; device: string; createdAt: string };
  /** After one of its tokens was used twice. `name`: the app's, empty if the event lacks it. */
  tool_ended: { name: string; device: string; browser: string; system: string; endedAt: string };
  new_device: Attempt;
  login_locked: Attempt;
  second_factors_refused: Attempt;
  deletion_requested: { dueAt: string };
  deletion_approaching: { dueAt: string };
  deletion_cancelled: Nothing;
  account_deleted: Nothing;
  data_ready: { expiresAt: string };
  alert: { kind: AlertKind; objectId: string; amount: string; currency: string; detail: string };
};

export type Template = keyof MailData;

/** Issued by identity when the email is sent; never in a table or an event. */
export type Secrets = { token?: string; code?: string };

/** `firstName`: empty if it is unknown or must be left out. */
export type Recipient = { email: string; firstName: string; isAdmin?: boolean };

export type MailContext<Name extends Template> = {
  recipient: Recipient;
  brand: string;
  data: MailData[Name] & Secrets;
};

/** A page of the product or the payment provider. */
export type MailLink = { label: string; path: string } | { label: string; url: string };
/**
 * Empty lines are left out. `footnote`: for a person who did not ask for the mail; it stands after the button. `turnOff`: why the reader gets
 * it, before the link that turns off emails of its kind.
 */
export type MailParts = {
  subject: string;
  lines: Line[];
  link: MailLink;
  footnote?: string;
  turnOff?: string;
};

/** The content of these emails. */
export type MailContents<Names extends Template> = {
  readonly [Name in Names]: (context: MailContext<Name>) => MailParts;
};
