import * as billing from '@shortlist/contracts/events/billing';
import { balanceChanged, creditsReset } from '@shortlist/contracts/events/credits';
import type { EventType } from '@shortlist/contracts/events/define';
import { accessEnded, adminInvited, ownerAdded, userDeleted } from '@shortlist/contracts/events/identity';
import * as privacy from '@shortlist/contracts/events/identity';
import type { Clock } from '@shortlist/kit/process/clock';
import { onRightEnded } from '@shortlist/kit/data/rights';
import { type EventHandlers, on } from '@shortlist/kit/messaging/handle-batch';
import { handleOnce, onOnce } from '@shortlist/kit/messaging/inbox';
import type { Db } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import type { JobQueue } from '@shortlist/kit/messaging/jobs';
import { eraseUser } from './erase-user.ts';
import { EXPORT_JOB, type ExportJob } from './jobs.ts';
import { createAlertMails, createInvitationMails, createOwnerMails } from './mail/create-admin-mails.ts';
import { type Notify, mailsOfEvents } from './mail/mails-of-events.ts';
import { createMail } from './mail/queries.ts';
import { type Senders, wakeSender } from './mail/send-mail.ts';
import { storeMessageOf } from './webhooks/messages.ts';
import { SPREAD_JOB, type WebhookJob } from './webhooks/send-webhooks.ts';

export type WorkerParts = Senders & {
  db: Db;
  clock: Clock;
  exportQueue: JobQueue<ExportJob>;
  webhookQueue: JobQueue<WebhookJob>;
  identity: ServiceClient;
};

/** The events about users' data that cause no email. */
const privacyHandlers = ({ db, clock, log, exportQueue }: WorkerParts): EventHandlers => [
  // identity decides whether the file is written; the sweep enqueues a job that is lost here.
  on(privacy.dataExportRequested, async (event) => {
    const { exportId } = event.data;
    if (!(await handleOnce({ db, clock, consumer: 'worker' }, event, () => Promise.resolve()))) return;
    await exportQueue
      .add(EXPORT_JOB, { exportId }, { id: exportId })
      .catch((error: unknown) => log.warn({ err: error }, 'export job not enqueued'));
  }),
  onOnce({ db, clock, consumer: 'worker' })(userDeleted, (tx, { subject, time }) =>
    eraseUser(tx, subject, new Date(time)),
  ),
];

/** The events that cause emails to several admins. */
const adminMails = (parts: WorkerParts): EventHandlers => [
  on(adminInvited, (event) => createInvitationMails(parts, event)),
  on(ownerAdded, (event) => createOwnerMails(parts, event)),
  on(billing.alertRaised, (event) => createAlertMails(parts, event)),
];

/** Every event that worker consumes. Most cause an email. */
export const workerHandlers = (parts: WorkerParts): EventHandlers => {
  const { db, clock, log, webhookQueue } = parts;
  const inbox = { db, clock, consumer: 'worker' };

  // The sweep finds the row if this job is lost.
  const enqueueMessage = (messageId: string | null): Promise<void> =>
    messageId === null
      ? Promise.resolve()
      : webhookQueue
          .add(SPREAD_JOB, { messageId }, { id: messageId })
          .catch((error: unknown) => log.warn({ err: error }, 'webhook job not enqueued'));

  const notify: Notify = (event, template, dataOf) =>
    on(event, async (received) => {
      let hasMail = false;
      let messageId: string | null = null;
      await handleOnce(inbox, received, async (tx) => {
        const { data } = received;
        messageId = await storeMessageOf(tx, received, clock);
        const name = typeof template === 'function' ? template(data) : template;
        if (name === null) return;
        await createMail(tx, received, { template: name, data: dataOf(data, received) });
        hasMail = true;
      });
      if (hasMail) await wakeSender(parts);
      await enqueueMessage(messageId);
    });

  /** For an event that causes no email. */
  const notifyWebhooks = <Data>(event: EventType<Data>) =>
    on(event, async (received) => {
      let messageId: string | null = null;
      await handleOnce(inbox, received, async (tx) => {
        messageId = await storeMessageOf(tx, received, clock);
      });
      await enqueueMessage(messageId);
    });

  return [
    onOnce(inbox)(accessEnded, onRightEnded(clock)),
    ...mailsOfEvents(notify, clock),
    ...privacyHandlers(parts),
    ...adminMails(parts),
    notifyWebhooks(creditsReset),
    notifyWebhooks(balanceChanged),
    notifyWebhooks(billing.paymentRefunded),
    notifyWebhooks(billing.subscriptionChanged),
  ];
};
