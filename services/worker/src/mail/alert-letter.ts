// The texts of the mail that each kind of alert causes to the operators.
import type { AlertKind } from '@shortlist/contracts/alerts';
import { money } from './format.ts';

type AlertText = { subject: string; lines: (sum: string) => string[] };

const TEXTS: Record<AlertKind, AlertText> = {
  dispute_opened: {
    subject: 'A payment is disputed',
    lines: (sum) => [
      `A customer disputes a payment${sum} at their bank. They keep their plan until the bank decides.`,
      'Open the dispute at Stripe to accept it or to send evidence before it is due.',
    ],
  },
  dispute_lost: {
    subject: 'A dispute was lost',
    lines: (sum) => [
      `The bank decided a dispute${sum} in the customer's favor. The money went back to them, and the plan that it paid for has ended.`,
    ],
  },
  early_fraud_warning: {
    subject: 'A payment may be fraudulent',
    lines: (sum) => [
      `A card issuer reports that a payment${sum} is probably fraudulent.`,
      'A full refund now usually avoids a dispute and its fee. Look at the payment at Stripe to decide.',
    ],
  },
  payment_of_deleted_user: {
    subject: 'A deleted user paid',
    // The alert's detail says whether the refund went through.
    lines: (sum) => [`A payment${sum} arrived for a user whose account was deleted.`],
  },
  refund_failed: {
    subject: 'A refund failed',
    lines: (sum) => [
      `The bank returned a refund${sum}, so the customer does not have the money. What they paid for counts again.`,
      'Look at the refund at Stripe, and pay the customer back in another way if you owe them the money.',
    ],
  },
  invoice_finalization_failed: {
    subject: 'An invoice could not be finalized',
    lines: (sum) => [
      `Stripe could not finalize an invoice${sum}, so nothing is collected for it.`,
      "Open the invoice at Stripe. The customer's address or the tax settings are often incomplete.",
    ],
  },
};

/** Subject and lines of an alert's mail. `data` has the alert's kind, id, amount, currency and detail. */
export const alertLetter = (data: Record<string, string>): { subject: string; lines: string[] } => {
  const { kind = '', objectId = '', amount = '', currency = '', detail = '' } = data;
  const { subject, lines } = TEXTS[kind as AlertKind]; // the event's schema allows no other kinds
  const sum = amount === '' || currency === '' ? '' : ` of ${money({ amount, currency })}`;
  return { subject, lines: [...lines(sum), detail, `Stripe's reference is ${objectId}.`] };
};
