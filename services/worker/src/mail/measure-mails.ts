import type { Db } from '@shortlist/kit/data/db';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { mailCallSeconds, mails, mailsAge, mailsUnsent } from '../metrics.ts';
import type { MailProvider } from './provider.ts';
import { measureUnsent } from './queries.ts';
import type { Template } from './templates.ts';

export type MailOutcome = 'sent' | 'postponed' | 'failed' | 'skipped';
/** Counts an attempt to send a mail. */
export type CountMail = (template: Template, outcome: MailOutcome) => void;

/** Adds the mails to the metrics. Returns the function that counts attempts. */
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
