import type {
  PaymentAct,
  PaymentDetail,
  PaymentDispute,
  PaymentRefund,
} from '@shortlist/contracts/api/payments';
import { actionTitle } from '@shortlist/contracts/audit-log';
import type { ReactNode } from 'react';
import { now, shortDay, shortTime } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { sentences } from '../../lib/sentences.ts';
import { paymentText } from '../../messages/payments.ts';
import { Panel, Trail, TrailEntry } from '../../ui/panel.tsx';

type Entry = { key: string; at: string; title: string; note: string; isWarning?: boolean };
type TimelineProps = { payment: PaymentDetail; acts: readonly PaymentAct[] };

const reasonOf = (text: string | null): string =>
  text === null ? '' : paymentText('reason', { reason: text });

const entriesOfRefund = (refund: PaymentRefund, { payment, acts }: TimelineProps): Entry[] => {
  const { refundId, createdAt, failedAt } = refund;
  const amount = money(refund.amount, payment.currency);
  const act = acts.find((one) => one.refundId === refundId);
  const made: Entry = {
    key: refundId,
    at: createdAt,
    title:
      act === undefined
        ? paymentText('refundedNow', { amount })
        : paymentText('refundedBy', { amount, name: act.by }),
    note: act === undefined ? paymentText('noReason') : reasonOf(act.text),
  };
  if (failedAt === null) return [made];
  const title = paymentText('refundFailed', { amount });
  const note = paymentText('refundFailedNote');
  return [made, { key: `${refundId} failed`, at: failedAt, title, note, isWarning: true }];
};

const ENDS: Record<string, 'disputeWon' | 'disputeLost'> = { won: 'disputeWon', lost: 'disputeLost' };

const entriesOfDispute = (dispute: PaymentDispute): Entry[] => {
  const { disputeId, status, openedAt, closedAt, evidenceDueAt } = dispute;
  const reason = dispute.reason.replaceAll('_', ' ');
  const isDue = closedAt === null && evidenceDueAt !== null && Date.parse(evidenceDueAt) > now();
  const opened: Entry = {
    key: disputeId,
    at: openedAt,
    title: paymentText('disputeOpened', { amount: money(dispute.amount, dispute.currency) }),
    note: isDue
      ? paymentText('disputeDue', { reason, day: shortDay(evidenceDueAt) })
      : paymentText('disputeReason', { reason }),
    isWarning: closedAt === null,
  };
  if (closedAt === null) return [opened];
  const title = paymentText(ENDS[status] ?? 'disputeClosed');
  return [opened, { key: `${disputeId} closed`, at: closedAt, title, note: '' }];
};

const issued = ({ invoiceId, number, periodStart, periodEnd, credits }: PaymentDetail): Entry[] => {
  if (periodStart === null) return [];
  const isPeriod = credits === null && periodEnd !== null;
  const note = isPeriod
    ? paymentText('issuedNote', { start: shortDay(periodStart), end: shortDay(periodEnd) })
    : '';
  return [
    { key: 'issued', at: periodStart, title: paymentText('issued', { number: number ?? invoiceId }), note },
  ];
};

const paid = ({ paidAt, amount, currency, attempts }: PaymentDetail): Entry[] =>
  paidAt === null
    ? []
    : [
        {
          key: 'paid',
          at: paidAt,
          title: paymentText('paidNow', { amount: money(amount, currency) }),
          note: attempts > 0 ? paymentText('paidNote', { count: attempts }) : '',
        },
      ];

/** Of one that is open, with how often it was tried and when it is tried again. */
const failed = ({ failedAt = null, attempts, paidAt, nextAttemptAt = null }: PaymentDetail): Entry[] => {
  if (failedAt === null) return [];
  const tries = paymentText('failedTries', { count: attempts });
  const next =
    nextAttemptAt === null
      ? paymentText('noNextAttempt')
      : paymentText('nextAttempt', { time: shortTime(nextAttemptAt) });
  const note = paidAt === null ? sentences([tries, next]) : '';
  return [
    { key: 'failed', at: failedAt, title: paymentText('firstFailed'), note, isWarning: paidAt === null },
  ];
};

/** What was done beside the refunds, which have their own entries. */
const entryOfAct = ({ id, at, action, by, text }: PaymentAct): Entry => ({
  key: id,
  at,
  title: paymentText('actBy', { action: actionTitle(action), name: by }),
  note: text ?? '',
});

const entriesOf = (props: TimelineProps): Entry[] => {
  const { payment, acts } = props;
  const refundIds = new Set(payment.refunds.map(({ refundId }) => refundId));
  return [
    ...issued(payment),
    ...failed(payment),
    ...paid(payment),
    ...payment.refunds.flatMap((refund) => entriesOfRefund(refund, props)),
    ...payment.disputes.flatMap(entriesOfDispute),
    ...acts.filter(({ refundId }) => refundId === null || !refundIds.has(refundId)).map(entryOfAct),
  ]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)) // stable: issued before paid
    .toReversed();
};

/** What happened to a payment, the newest first. */
export const PaymentTimeline = (props: TimelineProps): ReactNode => (
  <Panel title={paymentText('timeline')} isBare>
    <Trail>
      {entriesOf(props).map(({ key, ...entry }) => (
        <TrailEntry key={key} {...entry} />
      ))}
    </Trail>
  </Panel>
);
