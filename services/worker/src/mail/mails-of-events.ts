// The email that each event causes, and its data.
import * as billing from '@shortlist/contracts/events/billing';
import { creditsExhausted, creditsGranted, creditsLow } from '@shortlist/contracts/events/credits';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import {
  apiKeyCreated,
  connectionCreated,
  connectionEnded,
  emailChanged,
  emailChangeRequested,
  emailChangeStarted,
  emailVerificationRequested,
  factorAdded,
  factorRemoved,
  loginLocked,
  newDeviceUsed,
  passwordChanged,
  passwordResetRequested,
  recoveryCodesRenewed,
  recoveryCodeUsed,
  registrationRequested,
  secondFactorsRefused,
  takenEmailRequested,
  userRegistered,
  webhookCreated,
  webhookFailing,
  webhookStopped,
} from '@shortlist/contracts/events/identity';
import * as privacy from '@shortlist/contracts/events/identity';
import { planAt, type PlanState, premiumUntil } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import type { EventHandlers } from '@shortlist/kit/messaging/handle-batch';
import type { MailData, Template } from './mail-data.ts';

const periodEnd = (state: PlanState, clock: Clock): string => planAt(state, clock()).endsAt ?? '';

/** Empty once the plan is over: Stripe may keep collecting for weeks after the grace. */
const graceUntil = (state: PlanState, clock: Clock): string =>
  planAt(state, clock()).plan === 'premium' ? (premiumUntil(state) ?? '') : '';

/** Declares the email that an event causes, and the message to the user's webhooks if there is one for the event. */
export type Notify = <Data, Name extends Template>(
  event: EventType<Data>,
  /** Null if the user wants no email about the event. */
  template: Name | ((data: Data) => Name | null),
  dataOf: (data: Data, event: CloudEvent<Data>) => MailData[Name],
) => EventHandlers[number];

const accountMails = (notify: Notify): EventHandlers => [
  notify(userRegistered, 'welcome', ({ firstName }) => ({ firstName })),
  notify(registrationRequested, 'confirm_registration', () => ({})),
  notify(emailVerificationRequested, 'verify_email', () => ({})),
  notify(privacy.confirmationReminded, 'confirm_reminder', ({ dueAt }) => ({ dueAt })),
  notify(passwordResetRequested, 'password_reset', () => ({})),
  notify(emailChangeRequested, 'confirm_new_email', ({ changeId }) => ({ reference: changeId })),
  notify(emailChangeStarted, 'email_change_started', ({ changeId }, { time }) => ({
    reference: changeId,
    startedAt: time,
  })),
  notify(takenEmailRequested, 'email_taken', () => ({})),
  // To the former address; skipped if the change has been undone by then.
  notify(emailChanged, 'email_changed', ({ changeId }, { time }) => ({
    reference: changeId,
    changedAt: time,
  })),
  notify(passwordChanged, 'password_changed', ({ by }, { subject, time }) => ({
    changedAt: time,
    changedBy: by === subject ? 'user' : 'admin',
  })),
];

/** Every change of an account's factors is emailed to its user. */
const factorMails = (notify: Notify): EventHandlers => [
  notify(
    factorAdded,
    ({ factor }) => (factor === 'totp' ? 'two_step_on' : 'passkey_added'),
    () => ({}),
  ),
  notify(
    factorRemoved,
    ({ factor }) => (factor === 'totp' ? 'two_step_off' : 'passkey_removed'),
    ({ reason }) => ({ reason }),
  ),
  notify(recoveryCodesRenewed, 'recovery_codes_renewed', () => ({})),
  notify(recoveryCodeUsed, 'recovery_code_used', ({ left }, { time }) => ({ left: String(left), at: time })),
];

const keyMails = (notify: Notify): EventHandlers => [
  notify(apiKeyCreated, 'api_key_created', ({ name, scopes, hint }, { time }) => ({
    name,
    scopes: scopes.join(','),
    hint,
    createdAt: time,
  })),
  notify(connectionCreated, 'tool_connected', ({ name, scopes, device }, { time }) => ({
    name,
    scopes: scopes.join(','),
    device,
    createdAt: time,
  })),
  // The user knows about the other ends, or sees them on the page for taking the account back.
  notify(
    connectionEnded,
    ({ reason }) => (reason === 'reuse' ? 'tool_ended' : null),
    ({ name, device, browser, system }, { time }) => ({ name, device, browser, system, endedAt: time }),
  ),
];

const webhookMails = (notify: Notify): EventHandlers => [
  notify(webhookCreated, 'webhook_created', ({ host, events }, { time }) => ({
    host,
    events: events.join(','),
    createdAt: time,
  })),
  notify(webhookFailing, 'webhook_failing', ({ host, since, stopsAt }) => ({ host, since, stopsAt })),
  // The others ended with the sessions, with a warning beforehand.
  notify(
    webhookStopped,
    ({ stop }) => (stop === 'failing' || stop === 'gone' ? 'webhook_stopped' : null),
    ({ host, stop }) => ({ host, stop }),
  ),
];

const signInMails = (notify: Notify): EventHandlers => [
  notify(newDeviceUsed, 'new_device', (origin, { time }) => ({ ...origin, at: time })),
  notify(loginLocked, 'login_locked', (origin, { time }) => ({ ...origin, at: time })),
  notify(secondFactorsRefused, 'second_factors_refused', (origin, { time }) => ({ ...origin, at: time })),
];

const privacyMails = (notify: Notify): EventHandlers => [
  notify(privacy.deletionRequested, 'deletion_requested', ({ dueAt }) => ({ dueAt })),
  notify(privacy.deletionApproaching, 'deletion_approaching', ({ dueAt }) => ({ dueAt })),
  notify(privacy.deletionCancelled, 'deletion_cancelled', () => ({})),
  notify(privacy.dataExportReady, 'data_ready', ({ expiresAt }) => ({ expiresAt })),
];

/** An event from before its invoice was added causes a receipt without these details. */
const invoiceData = (invoice: billing.InvoiceDetails | null): Partial<MailData['receipt']> =>
  invoice === null
    ? {}
    : {
        number: invoice.number ?? '',
        tax: String(invoice.tax),
        invoicedFrom: invoice.periodStart,
        invoicedUntil: invoice.periodEnd,
        pdfUrl: invoice.pdfUrl ?? '',
      };

type PaidInvoice = Pick<billing.PaymentSucceeded, 'invoiceId' | 'amount' | 'currency' | 'paidAt' | 'invoice'>;

const receiptData = (
  { invoiceId, amount, currency, paidAt, invoice }: PaidInvoice,
  periodEnd: string,
): MailData['receipt'] => ({
  invoiceId,
  amount: String(amount),
  currency,
  paidAt,
  periodEnd,
  ...invoiceData(invoice),
});

const billingMails = (notify: Notify, clock: Clock): EventHandlers => [
  notify(
    billing.paymentSucceeded,
    ({ trial }) => (trial ? null : 'receipt'),
    (payment) => receiptData(payment, payment.planState.paid?.end ?? ''),
  ),
  notify(billing.receiptRequested, 'receipt', (payment) => receiptData(payment, payment.invoice.periodEnd)),
  notify(billing.paymentFailed, 'payment_failed', ({ planState, confirmUrl }) => ({
    graceUntil: graceUntil(planState, clock),
    confirmUrl: confirmUrl ?? '',
  })),
  notify(billing.planGranted, 'plan_granted', ({ planState }) => ({
    periodEnd: periodEnd(planState, clock),
  })),
  notify(billing.planRevoked, 'plan_revoked', ({ reason }) => ({ reason })),
  notify(billing.renewalStopped, 'renewal_stopped', ({ planState, renewsUntil }) => ({
    premiumUntil: premiumUntil(planState) ?? '',
    renewsUntil: renewsUntil ?? '',
  })),
  notify(billing.renewalResumed, 'renewal_resumed', ({ planState }) => ({
    periodEnd: planState.paid?.end ?? '',
  })),
  // The first state of a pack means that it was bought; later ones, after a refund or a dispute, cause no email.
  notify(
    billing.creditPackChanged,
    ({ version, credits, paidCredits }) => (version === 1 && paidCredits === credits ? 'pack_bought' : null),
    ({ credits, paidAt }) => ({ credits: String(credits), paidAt }),
  ),
  notify(billing.cardExpiring, 'card_expiring', ({ brand, last4, expires }) => ({ brand, last4, expires })),
  notify(billing.trialEnding, 'trial_ending', ({ endsAt, amount, currency, interval }) => ({
    endsAt,
    amount: amount === null ? '' : String(amount),
    currency,
    interval: interval ?? 'month',
  })),
];

const creditMails = (notify: Notify): EventHandlers => [
  notify(
    creditsLow,
    ({ mail: isWanted }) => (isWanted ? 'credits_low' : null),
    ({ plan, limit, used, available, windowEnd }) => ({
      plan,
      left: String(available),
      beside: String(available - (limit - used)),
      limit: String(limit),
      windowEnd,
    }),
  ),
  notify(
    creditsExhausted,
    ({ mail: isWanted }) => (isWanted ? 'credits_exhausted' : null),
    ({ limit, windowEnd }) => ({ limit: String(limit), windowEnd }),
  ),
  notify(creditsGranted, 'credits_granted', ({ credits, endsAt }) => ({
    credits: String(credits),
    endsAt: endsAt ?? '', // a grant has an end
  })),
];

/** The emails to users, by the events that cause them. */
export const mailsOfEvents = (notify: Notify, clock: Clock): EventHandlers => [
  ...accountMails(notify),
  ...factorMails(notify),
  ...keyMails(notify),
  ...privacyMails(notify),
  ...signInMails(notify),
  ...billingMails(notify, clock),
  ...creditMails(notify),
  ...webhookMails(notify),
];
