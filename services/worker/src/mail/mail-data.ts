import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { PlanEndReason } from '@shortlist/contracts/events/billing';
import type { WebhookStop } from '@shortlist/contracts/api/webhooks';
import type { AlertKind } from '@shortlist/contracts/api/billing';
import type { Plan } from '@shortlist/contracts/plan';
import type { Line } from './layout.ts';

type Nothing = Record<never, string>;
/** A mail about a change of the address: the secret in its link is for this change. */
type AboutChange = { reference: string };
/** `reason`: that of support, if it made the change. */
type FactorChange = { reason?: string };
type Attempt = { browser: string; system: string; place: string; at: string };
type Payment = { invoiceId: string; amount: string; currency: string; paidAt: string; periodEnd: string };
/** Mails from before these were stored have none of them. `periodEnd` is the end of the plan, `invoicedUntil` that of the invoice's period. */
type InvoiceDetails = {
  number: string;
  tax: string;
  invoicedFrom: string;
  invoicedUntil: string;
  pdfUrl: string;
};

/**
 * What the row of a mail stores for its text, by the value of the `template` column. Times are ISO dates; an empty text is an unknown
 * value.
 */
export type MailData = {
  /** Mails from before the name was stored have none. */
  welcome: { firstName?: string };
  verify_email: Nothing;
  confirm_reminder: { dueAt: string };
  confirm_registration: Nothing;
  password_reset: Nothing;
  confirm_new_email: AboutChange;
  email_taken: Nothing;
  /** To an address to which mails came back. */
  test: Nothing;
  email_change_started: AboutChange & { startedAt: string };
  email_changed: AboutChange & { changedAt: string };
  password_changed: { changedAt: string; changedBy: 'user' | 'admin' };
  admin_invitation: { role: AdminRole };
  invitation_sent: { role: AdminRole };
  owner_added: { by: string };
  receipt: Payment & Partial<InvoiceDetails>;
  /** `graceUntil` is empty once the grace is over, and `confirmUrl` when the bank wants no confirmation. */
  payment_failed: { graceUntil: string; confirmUrl: string };
  pack_bought: { credits: string; paidAt: string };
  plan_granted: { periodEnd: string };
  plan_revoked: { reason: PlanEndReason };
  /** `renewsUntil` is empty for a plan that does not renew. */
  renewal_stopped: { premiumUntil: string; renewsUntil: string };
  renewal_resumed: { periodEnd: string };
  /** `expires` is the card's last month, such as 2026-11. */
  card_expiring: { brand: string; last4: string; expires: string };
  /** `left` in all; `beside`: how many of these are not of the plan's period, empty in mails from before there were others. */
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
  /** `host`: of the address; `events`: separated by commas. */
  webhook_created: { host: string; events: string; createdAt: string };
  webhook_failing: { host: string; since: string; stopsAt: string };
  webhook_stopped: { host: string; stop: WebhookStop };
  /** `name`: of the app. `device`: what the app calls its device. */
  tool_connected: { name: string; scopes: string; device: string; createdAt: string };
  /** After a token of it was used twice. `name`: of the app, empty in mails about events that did not say it. */
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

/** What identity issues when the mail is sent: it is in no table and no event. */
export type Secrets = { token?: string; code?: string };

export type Recipient = { email: string; firstName: string; isAdmin?: boolean };

export type MailContext<Name extends Template> = {
  recipient: Recipient;
  brand: string;
  data: MailData[Name] & Secrets;
};

/** A page of ours, or one of the payment provider's. */
export type MailLink = { label: string; path: string } | { label: string; url: string };
/** An empty line is left out. */
export type MailParts = { subject: string; lines: Line[]; link: MailLink };

/** The content of these mails. */
export type MailContents<Names extends Template> = {
  readonly [Name in Names]: (context: MailContext<Name>) => MailParts;
};
