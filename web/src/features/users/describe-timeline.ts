import type { TimelineView } from '@shortlist/contracts/api/timeline';
import { creditReason } from '@shortlist/contracts/credit-history';
import { describeEntry, type DiffRow, partyName } from '../../lib/describe-entry.ts';
import { describeSignIn } from '../../lib/devices.ts';
import { money } from '../../lib/money.ts';
import { sentences } from '../../lib/sentences.ts';
import { paymentText } from '../../messages/payments.ts';
import { timelineText } from '../../messages/users.ts';
import { authorOf } from './user-data.ts';

type Of<Name extends string> = Extract<TimelineView, Record<Name, unknown>>;
type Invoice = { invoiceId: string; number: string | null };

/** `invoice`: the payment to which the entry leads. */
export type Described = { title: string; note: string; isWarning?: boolean; invoice?: Invoice | undefined };

const describeLogIn = ({ signIn }: Of<'signIn'>): Described => {
  const described = describeSignIn(signIn, false);
  if (signIn.outcome === 'failed' || signIn.method === 'support') return described;
  return { ...described, title: timelineText('signedIn', { device: described.title }) };
};

const describePayment = ({ payment }: Of<'payment'>): Described => {
  const amount = money(payment.amount, payment.currency);
  const { credits, what } = payment;
  return {
    title: what === 'paid' ? paymentText('paidNow', { amount }) : timelineText('paymentFailed', { amount }),
    note: credits === null ? timelineText('premium') : paymentText('packOf', { credits }),
    isWarning: what === 'failed',
    invoice: payment,
  };
};

const describeRefund = ({ refund }: Of<'refund'>): Described => {
  const amount = money(refund.amount, refund.currency);
  const hasFailed = refund.what === 'failed';
  return {
    title: paymentText(hasFailed ? 'refundFailed' : 'refundedNow', { amount }),
    note: hasFailed ? paymentText('refundFailedNote') : '',
    isWarning: hasFailed,
    invoice: refund,
  };
};

const DISPUTES = {
  opened: 'disputeOpened',
  won: 'disputeWon',
  lost: 'disputeLost',
  closed: 'disputeClosed',
} as const;

const describeDispute = ({ dispute }: Of<'dispute'>): Described => ({
  title: paymentText(DISPUTES[dispute.what], { amount: money(dispute.amount, dispute.currency) }),
  note: '',
  isWarning: dispute.what === 'opened',
  invoice: dispute,
});

const describeSubscription = ({
  subscription: { what, amount, currency, interval },
}: Of<'subscription'>): Described => ({
  title: timelineText(what),
  note:
    amount === null || currency === null
      ? ''
      : timelineText(interval === 'year' ? 'yearlyPrice' : 'price', { amount: money(amount, currency) }),
});

const creditsOf = (amount: number): string =>
  timelineText('creditsAmount', { sign: amount < 0 ? '−' : '+', count: Math.abs(amount) });

const describeCredits = ({ credits: { amount, reason, reference } }: Of<'credits'>): Described => ({
  title: creditReason(reason),
  note: sentences([amount === 0 ? '' : creditsOf(amount), reference ?? '']),
});

const UNSENT = ['not_delivered', 'complained', 'not_sent'];

const describeEmail = ({ email: { subject, state, why } }: Of<'email'>): Described => ({
  title: timelineText('email', { subject }),
  note: timelineText(why ?? state),
  isWarning: UNSENT.includes(state),
});

const changedText = ({ field, before, after }: DiffRow): string => {
  const now = after ?? timelineText('nothing');
  return before === null
    ? timelineText('set', { field, now })
    : timelineText('changed', { field, now, before });
};

const describeChange = ({ change }: Of<'change'>): Described => {
  const { title, reason, rows, notes } = describeEntry(change);
  return {
    title,
    note: sentences([
      timelineText('by', { name: partyName(change.actor, change.actorId) }),
      reason === null ? '' : timelineText('reason', { reason }),
      ...rows.map(changedText),
      ...notes,
    ]),
  };
};

const describeNote = ({ note: { author, text } }: Of<'note'>): Described => ({
  title: timelineText('note', { author: authorOf(author) }),
  note: text,
});

/** An entry of the timeline in words. */
export const describeTimeline = (entry: TimelineView): Described => {
  if ('account' in entry) return { title: timelineText(entry.account.what), note: '' };
  if ('signIn' in entry) return describeLogIn(entry);
  if ('payment' in entry) return describePayment(entry);
  if ('refund' in entry) return describeRefund(entry);
  if ('dispute' in entry) return describeDispute(entry);
  if ('subscription' in entry) return describeSubscription(entry);
  if ('credits' in entry) return describeCredits(entry);
  if ('email' in entry) return describeEmail(entry);
  if ('change' in entry) return describeChange(entry);
  return describeNote(entry);
};
