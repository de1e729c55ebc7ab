import type { Db } from '@shortlist/kit/data/db';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { mailCallSeconds, mails, mailsAge, mailsUnsent } from '../metrics.ts';
import { measureUnsent, releaseStuckMails } from './queries.ts';
import { type CountMail, type Senders, wakeSender } from './send-mail.ts';
import type { MailProvider } from './sendgrid.ts';

/** Longer than an attempt can take: the secret, the lookup of the recipient, at most six calls, and the provider, each with its timeout. */
const STUCK_SECONDS = 20;

/** Releases emails whose sender died, and wakes a sender for them, for emails whose pause is over, and for lost wake-ups. */
export const sweepMails = async ({ db, ...senders }: Senders & { db: Db }): Promise<void> => {
  await releaseStuckMails(db.manager, STUCK_SECONDS);
  await wakeSender(senders);
};

/** Adds the emails to the metrics. Returns the function that counts attempts. */
export const measureMails = (metrics: Metrics, db: Db): CountMail => {
  const counter = metrics.counter(mails);
  metrics.gauge(mailsUnsent, async () => (await measureUnsent(db.manager)).count);
  metrics.gauge(mailsAge, async () => (await measureUnsent(db.manager)).oldestSeconds);
  return (template, outcome) => counter.inc({ template, outcome });
};

/** Returns the provider with each call added to the metrics. */
export const measureProvider = (metrics: Metrics, provider: MailProvider): MailProvider => {
  const histogram = metrics.histogram(mailCallSeconds);
  return async (...call) => {
    const stop = histogram.startTimer();
    const delivery = await provider(...call);
    stop({ outcome: delivery.outcome });
    return delivery;
  };
};
