// Which mail an event causes, and with what data.
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

/** Empty once the plan is over: Stripe may go on collecting for weeks after the grace. */
const graceUntil = (state: PlanState, clock: Clock): string =>
  planAt(state, clock()).plan === 'premium' ? (premiumUntil(state) ?? '') : '';

/** Registers the mail that an event causes. */
export type MailHandler = <Data, Name extends Template>(
  event: EventType<Data>,
  /** Null for an event of which the user wants no mail. */
  template: Name | ((data: Data) => Name | null),
  dataOf: (data: Data, event: CloudEvent<Data>) => MailData[Name],
) => EventHandlers[number];

const accountMails = (mail: MailHandler): EventHandlers => [
  mail(userRegistered, 'welcome', () => ({})),
  mail(registrationRequested, 'confirm_registration', () => ({})),
  mail(emailVerificationRequested, 'verify_email', () => ({})),
  mail(privacy.confirmationReminded, 'confirm_reminder', ({ dueAt }) => ({ dueAt })),
  mail(passwordResetRequested, 'password_reset', () => ({})),
  mail(emailChangeRequested, 'confirm_new_email', ({ changeId }) => ({ reference: changeId })),
  mail(emailChangeStarted, 'email_change_started', ({ changeId }, { time }) => ({
    reference: changeId,
    startedAt: time,
  })),
  mail(takenEmailRequested, 'email_taken', () => ({})),
  // To the former address; a change that was undone by then is skipped.
  mail(emailChanged, 'email_changed', ({ changeId }, { time }) => ({ reference: changeId, changedAt: time })),
  mail(passwordChanged, 'password_changed', ({ by }, { subject, time }) => ({
    changedAt: time,
    changedBy: by === subject ? 'user' : 'admin',
  })),
];

/** Each change of the factors of an account is mailed to its user. */
const factorMails = (mail: MailHandler): EventHandlers => [
  mail(
    factorAdded,
    ({ factor }) => (factor === 'totp' ? 'two_step_on' : 'passkey_added'),
    () => ({}),
  ),
  mail(
    factorRemoved,
    ({ factor }) => (factor === 'totp' ? 'two_step_off' : 'passkey_removed'),
    ({ reason }) => ({ reason }),
  ),
  mail(recoveryCodesRenewed, 'recovery_codes_renewed', () => ({})),
  mail(recoveryCodeUsed, 'recovery_code_used', ({ left }, { time }) => ({ left: String(left), at: time })),
];

const keyMails = (mail: MailHandler): EventHandlers => [
  mail(apiKeyCreated, 'api_key_created', ({ name, scopes, hint }, { time }) => ({
    name,
    scopes: scopes.join(','),
    hint,
    createdAt: time,
  })),
  mail(connectionCreated, 'tool_connected', ({ name, scopes, device }, { time }) => ({
    name,
    scopes: scopes.join(','),
    device,
    createdAt: time,
  })),
  // The other ends are known to the user, or said on the page that takes an account back.
  mail(
    connectionEnded,
    ({ reason }) => (reason === 'reuse' ? 'tool_ended' : null),
    ({ name, device, browser, system }, { time }) => ({ name, device, browser, system, endedAt: time }),
  ),
];

const webhookMails = (mail: MailHandler): EventHandlers => [
  mail(webhookCreated, 'webhook_created', ({ host, events }, { time }) => ({
    host,
    events: events.join(','),
    createdAt: time,
  })),
  mail(webhookFailing, 'webhook_failing', ({ host, since, stopsAt }) => ({ host, since, stopsAt })),
  // The others were ended with the sessions, which whoever does so is told before.
  mail(
    webhookStopped,
    ({ stop }) => (stop === 'failing' || stop === 'gone' ? 'webhook_stopped' : null),
    ({ host, stop }) => ({ host, stop }),
  ),
];

const signInMails = (mail: MailHandler): EventHandlers => [
  mail(newDeviceUsed, 'new_device', (origin, { time }) => ({ ...origin, at: time })),
  mail(loginLocked, 'login_locked', (origin, { time }) => ({ ...origin, at: time })),
  mail(secondFactorsRefused, 'second_factors_refused', (origin, { time }) => ({ ...origin, at: time })),
];

const privacyMails = (mail: MailHandler): EventHandlers => [
  mail(privacy.deletionRequested, 'deletion_requested', ({ dueAt }) => ({ dueAt })),
  mail(privacy.deletionApproaching, 'deletion_approaching', ({ dueAt }) => ({ dueAt })),
  mail(privacy.deletionCancelled, 'deletion_cancelled', () => ({})),
  mail(privacy.dataExportReady, 'data_ready', ({ expiresAt }) => ({ expiresAt })),
];

/** An event from before its invoice was added makes a receipt without these details. */
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

const receiptData = (payment: billing.PaymentSucceeded): MailData['receipt'] => ({
  invoiceId: payment.invoiceId,
  amount: String(payment.amount),
  currency: payment.currency,
  paidAt: payment.paidAt,
  periodEnd: payment.planState.paid?.end ?? '',
  ...invoiceData(payment.invoice),
});

const billingMails = (mail: MailHandler, clock: Clock): EventHandlers => [
  mail(billing.paymentSucceeded, 'receipt', receiptData),
  mail(billing.paymentFailed, 'payment_failed', ({ planState, confirmUrl }) => ({
    graceUntil: graceUntil(planState, clock),
    confirmUrl: confirmUrl ?? '',
  })),
  mail(billing.planGranted, 'plan_granted', ({ planState }) => ({ periodEnd: periodEnd(planState, clock) })),
  mail(billing.planRevoked, 'plan_revoked', ({ reason }) => ({ reason })),
  mail(billing.renewalStopped, 'renewal_stopped', ({ planState, renewsUntil }) => ({
    premiumUntil: premiumUntil(planState) ?? '',
    renewsUntil: renewsUntil ?? '',
  })),
  mail(billing.renewalResumed, 'renewal_resumed', ({ planState }) => ({
    periodEnd: planState.paid?.end ?? '',
  })),
  // The first state of a pack says that it was bought; later ones, after a refund or a dispute, are not mailed.
  mail(
    billing.creditPackChanged,
    ({ version, credits, paidCredits }) => (version === 1 && paidCredits === credits ? 'pack_bought' : null),
    ({ credits, paidAt }) => ({ credits: String(credits), paidAt }),
  ),
  mail(billing.cardExpiring, 'card_expiring', ({ brand, last4, expires }) => ({ brand, last4, expires })),
];

const creditMails = (mail: MailHandler): EventHandlers => [
  mail(
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
  mail(
    creditsExhausted,
    ({ mail: isWanted }) => (isWanted ? 'credits_exhausted' : null),
    ({ limit, windowEnd }) => ({ limit: String(limit), windowEnd }),
  ),
  mail(creditsGranted, 'credits_granted', ({ credits, endsAt }) => ({
    credits: String(credits),
    endsAt: endsAt ?? '', // a grant has an end
  })),
];

/** The mails that users get, by the events that cause them. */
export const mailsOfEvents = (mail: MailHandler, clock: Clock): EventHandlers => [
  ...accountMails(mail),
  ...factorMails(mail),
  ...keyMails(mail),
  ...privacyMails(mail),
  ...signInMails(mail),
  ...billingMails(mail, clock),
  ...creditMails(mail),
  ...webhookMails(mail),
];
