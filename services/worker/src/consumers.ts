import * as billing from '@shortlist/contracts/events/billing';
import {
  balanceChanged,
  creditsExhausted,
  creditsGranted,
  creditsLow,
  creditsReset,
} from '@shortlist/contracts/events/credits';
import type { CloudEvent, EventType } from '@shortlist/contracts/events/define';
import {
  adminInvited,
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
  ownerAdded,
  passwordChanged,
  passwordResetRequested,
  recoveryCodesRenewed,
  recoveryCodeUsed,
  registrationRequested,
  secondFactorsRefused,
  takenEmailRequested,
  userDeleted,
  userRegistered,
  webhookCreated,
  webhookFailing,
  webhookStopped,
} from '@shortlist/contracts/events/identity';
import * as privacy from '@shortlist/contracts/events/identity';
import { planAt, type PlanState, premiumUntil } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import { type EventHandlers, handleOnce, on, onOnce } from '@shortlist/kit/messaging/handle-batch';
import type { Db } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import type { JobQueue } from '@shortlist/kit/messaging/jobs';
import type { Log } from '@shortlist/kit/process/log';
import { EXPORT_JOB, type ExportJob } from './exports/write-export.ts';
import { createAlertMails, createInvitationMails, createOwnerMails } from './mail/create-admin-mails.ts';
import { createMail, eraseUser } from './mail/queries.ts';
import { type MailJob, SEND_JOB } from './mail/send-mail.ts';
import type { MailData, Template } from './mail/mail-data.ts';
import { storeMessageOf } from './webhooks/messages.ts';
import { eraseMessages } from './webhooks/queries.ts';
import { SPREAD_JOB, type WebhookJob } from './webhooks/send-webhooks.ts';

export type WorkerParts = {
  db: Db;
  clock: Clock;
  log: Log;
  queue: JobQueue<MailJob>;
  exportQueue: JobQueue<ExportJob>;
  webhookQueue: JobQueue<WebhookJob>;
  identity: ServiceClient;
};

const periodEnd = (state: PlanState, clock: Clock): string => planAt(state, clock()).endsAt ?? '';

/** Empty once the plan is over: Stripe may go on collecting for weeks after the grace. */
const graceUntil = (state: PlanState, clock: Clock): string =>
  planAt(state, clock()).plan === 'premium' ? (premiumUntil(state) ?? '') : '';

type MailHandler = <Data, Name extends Template>(
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
  // The other ends are known to the user, or told by the mail about an account that was taken back.
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
  // The mail about an account that was taken back says so.
  mail(
    webhookStopped,
    ({ stop }) => (stop === 'taken_back' ? null : 'webhook_stopped'),
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

/** The events about the data of users that cause no mail. */
const privacyHandlers = ({ db, clock, log, exportQueue }: WorkerParts): EventHandlers => [
  // identity decides that the file is written; the sweep enqueues a job that is lost here.
  on(privacy.dataExportRequested, async (event) => {
    const { exportId } = event.data;
    if (!(await handleOnce({ db, clock, consumer: 'worker' }, event, () => Promise.resolve()))) return;
    await exportQueue
      .add(EXPORT_JOB, { exportId }, { id: exportId })
      .catch((error: unknown) => log.warn({ err: error }, 'export job not enqueued'));
  }),
  onOnce({ db, clock, consumer: 'worker' })(userDeleted, async (tx, { subject }) => {
    await eraseMessages(tx, subject);
    await eraseUser(tx, subject);
  }),
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
  mail(billing.renewalStopped, 'renewal_stopped', ({ planState }) => ({
    premiumUntil: premiumUntil(planState) ?? '',
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

type Enqueue = (mailId: string) => Promise<void>;

/** The events that cause mails to several admins. */
const adminMails = (parts: WorkerParts, enqueue: Enqueue): EventHandlers => {
  const enqueueAll = async (mailIds: string[]): Promise<void> => {
    for (const mailId of mailIds) await enqueue(mailId);
  };
  return [
    on(adminInvited, async (event) => enqueueAll(await createInvitationMails(parts, event))),
    on(ownerAdded, async (event) => enqueueAll(await createOwnerMails(parts, event))),
    on(billing.alertRaised, async (event) => enqueueAll(await createAlertMails(parts, event))),
  ];
};

/** Every event that worker consumes. Most create a mail. */
export const workerHandlers = (parts: WorkerParts): EventHandlers => {
  const { db, clock, log, queue, webhookQueue } = parts;
  const inbox = { db, clock, consumer: 'worker' };

  // The row decides that a message is spread, too.
  const enqueueMessage = (messageId: string | null): Promise<void> =>
    messageId === null
      ? Promise.resolve()
      : webhookQueue
          .add(SPREAD_JOB, { messageId }, { id: messageId })
          .catch((error: unknown) => log.warn({ err: error }, 'webhook job not enqueued'));

  const enqueue: Enqueue = (mailId) =>
    // The row decides that the mail is sent; the sweep enqueues a job that is lost here.
    queue
      .add(SEND_JOB, { mailId }, { id: mailId })
      .catch((error: unknown) => log.warn({ err: error }, 'mail job not enqueued'));

  const mail: MailHandler = (event, template, dataOf) =>
    on(event, async (received) => {
      let mailId: string | null = null;
      let messageId: string | null = null;
      await handleOnce(inbox, received, async (tx) => {
        const { data } = received;
        messageId = await storeMessageOf(tx, received, clock);
        const name = typeof template === 'function' ? template(data) : template;
        if (name === null) return;
        mailId = await createMail(tx, received, { template: name, data: dataOf(data, received) });
      });
      if (mailId !== null) await enqueue(mailId);
      await enqueueMessage(messageId);
    });

  /** An event that is told to webhooks, and causes no mail. */
  const told = <Data>(event: EventType<Data>) =>
    on(event, async (received) => {
      let messageId: string | null = null;
      await handleOnce(inbox, received, async (tx) => {
        messageId = await storeMessageOf(tx, received, clock);
      });
      await enqueueMessage(messageId);
    });

  return [
    ...accountMails(mail),
    ...factorMails(mail),
    ...keyMails(mail),
    ...privacyMails(mail),
    ...privacyHandlers(parts),
    ...adminMails(parts, enqueue),
    ...signInMails(mail),
    ...billingMails(mail, clock),
    ...creditMails(mail),
    ...webhookMails(mail),
    told(creditsReset),
    told(balanceChanged),
    told(billing.paymentRefunded),
    told(billing.subscriptionChanged),
  ];
};
