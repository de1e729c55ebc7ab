import type { PaymentDetail, PaymentRow } from '@shortlist/contracts/api/payments';
import { shortDay } from '../../lib/dates.ts';
import { money, signedMoney } from '../../lib/money.ts';
import { paymentText } from '../../messages/payments.ts';

/** A deleted user has no name any more. */
export const payerName = ({ user }: Pick<PaymentRow, 'user'>): string =>
  user.name === '' ? paymentText('deletedUser') : user.name;

export const lessMoney = (amount: number, currency: string): string =>
  signedMoney(amount === 0 ? 0 : -amount, currency);

/** A fee that is not known is not 0. */
export const feeOf = ({ fee }: Pick<PaymentRow, 'fee'>): string =>
  fee === null ? paymentText('none') : lessMoney(fee.amount, fee.currency);

const LOST = ['lost', 'appeal_needs_response', 'appeal_under_review'];

const disputeNote = ({ dispute }: Pick<PaymentRow, 'dispute'>): string | null => {
  if (dispute === null) return null;
  if (LOST.includes(dispute.status)) return paymentText('lostNote');
  const isDue = dispute.status.endsWith('needs_response') && dispute.evidenceDueAt !== null;
  if (!isDue) return paymentText('reviewNote');
  return paymentText('answerBy', { day: shortDay(dispute.evidenceDueAt ?? '') });
};

/** What stands below the state of a payment: what was returned, what is to be done, or how often it was tried. */
export const stateNote = (payment: PaymentRow): string | null => {
  const { state, refunded, attempts, currency } = payment;
  if (state === 'disputed') return disputeNote(payment);
  if (refunded > 0) return paymentText('returnedNote', { amount: money(refunded, currency) });
  const isTried = state === 'past_due' || state === 'failed';
  return isTried && attempts > 0 ? paymentText('attemptsNote', { count: attempts }) : null;
};

/** Who paid for what. */
export const subjectOf = (
  payment: Pick<PaymentDetail, 'user' | 'credits' | 'periodStart' | 'periodEnd'>,
): string => {
  const { credits, periodStart, periodEnd } = payment;
  const period =
    periodStart === null || periodEnd === null
      ? paymentText('plan')
      : paymentText('planPeriod', { start: shortDay(periodStart), end: shortDay(periodEnd) });
  const subject = credits === null ? period : paymentText('packOf', { credits });
  return paymentText('head', { name: payerName(payment), subject });
};
