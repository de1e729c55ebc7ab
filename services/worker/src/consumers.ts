import * as billing from '@shortlist/contracts/events/billing';
import { creditsExhausted } from '@shortlist/contracts/events/credits';
import type { Fact, FactType } from '@shortlist/contracts/events/define';
import { userRegistered } from '@shortlist/contracts/events/identity';
import { planAt, type PlanState } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/clock';
import { hear, type Hearings } from '@shortlist/kit/hearings';
import type { Db } from '@shortlist/kit/db';
import { handleOnce } from '@shortlist/kit/inbox';
import type { JobQueue } from '@shortlist/kit/jobs';
import type { Log } from '@shortlist/kit/log';
import { askForMail } from './mail/ask-for-mail.ts';
import { type MailJob, SEND_JOB } from './mail/sweep-mails.ts';
import type { Template } from './mail/templates.ts';

type Parts = { db: Db; clock: Clock; log: Log; queue: JobQueue<MailJob> };

const periodEnd = (state: PlanState, clock: Clock): string => planAt(state, clock()).endsAt ?? '';

/** All that the worker hears: each fact here asks for a mail. */
export const workerHearings = (parts: Parts): Hearings => {
  const { db, clock, log, queue } = parts;

  const mail = <Data>(
    fact: FactType<Data>,
    template: Template,
    dataOf: (data: Data) => Record<string, string>,
  ) =>
    hear(fact, async (heard: Fact<Data>) => {
      let mailId: string | null = null;
      await handleOnce({ db, clock, hearer: 'worker' }, heard, async (tx) => {
        mailId = await askForMail(tx, heard, { template, data: dataOf(heard.data) });
      });
      if (mailId === null) return;
      // The row is the promise; a nudge that does not arrive is made up for by the sweep.
      await queue
        .add(SEND_JOB, { mailId }, { id: mailId })
        .catch((error: unknown) => log.warn({ err: error }, 'no nudge'));
    });

  return [
    mail(userRegistered, 'welcome', () => ({})),
    mail(billing.paymentSucceeded, 'receipt', ({ invoiceId, amount, currency, paidAt, planState }) => ({
      invoiceId,
      amount: String(amount),
      currency,
      paidAt,
      periodEnd: planState.paid?.end ?? '',
    })),
    mail(billing.paymentFailed, 'payment_failed', ({ planState }) => ({
      graceUntil: planState.paid?.graceUntil ?? '',
    })),
    mail(billing.planGranted, 'plan_granted', ({ planState }) => ({
      periodEnd: periodEnd(planState, clock),
    })),
    mail(billing.planRevoked, 'plan_revoked', () => ({})),
    mail(creditsExhausted, 'credits_exhausted', ({ limit, windowEnd }) => ({
      limit: String(limit),
      windowEnd,
    })),
  ];
};
