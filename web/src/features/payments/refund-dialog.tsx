import type { PaymentDetail } from '@shortlist/contracts/api/payments';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { REFUND_REASON_MAX } from '@shortlist/contracts/limits';
import { inMinorUnits } from '@shortlist/contracts/messages';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { money } from '../../lib/money.ts';
import { paymentText } from '../../messages/payments.ts';
import { Pick } from '../../ui/choices.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { usePaymentChange } from './payment-actions.tsx';

type RefundDialogProps = { payment: PaymentDetail; onClose: () => void };

const useRefund = ({ payment: { invoiceId, currency }, onClose }: RefundDialogProps) => {
  // A second press after a lost response refunds nothing twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  return usePaymentChange(async (input: { amount: number; left: number; reason: string }, token) => {
    await call(publicEndpoints.refundPayment, { invoiceId, ...input }, { token, idempotencyKey });
    return paymentText('refundDone', { amount: money(input.amount, currency) });
  }, onClose);
};

/** What becomes of the plan or the pack. */
const NOTES = {
  plan: { all: 'endsPlan', part: 'partOfPlan' },
  pack: { all: 'endsPack', part: 'partOfPack' },
  nothing: { all: 'endsNothing', part: 'partOfPlan' },
} as const;

/** Refunds all that is left of a payment, or a part. */
export const RefundDialog = (props: RefundDialogProps): ReactNode => {
  // What the dialog is about stays when the payment changes meanwhile: the server has the last word.
  const [{ left, currency, effect, refunded }] = useState(props.payment);
  const [extent, setExtent] = useState<'all' | 'part'>('all');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const { isBusy, failure, run } = useRefund(props);
  const fields = failure?.fields ?? {};
  const most = money(left, currency);
  const amount = extent === 'all' ? left : inMinorUnits(typed, currency);
  const isWrong = typed !== '' && (amount === null || amount < 1 || amount > left);
  const shown = amount === null || isWrong ? 0 : amount;
  return (
    <ConfirmDialog
      title={paymentText('refundTitle')}
      confirmLabel={paymentText('refundButton', { amount: money(shown, currency) })}
      isBad
      command={{ isBusy, failure, run: () => run({ amount: amount ?? 0, left, reason: reason.trim() }) }}
      isFailureAtField={Object.keys(fields).some((name) => name === 'reason' || extent === 'part')}
      onClose={props.onClose}
    >
      <p>{paymentText('refundLead', { amount: most })}</p>
      <Pick
        legend={paymentText('howMuch')}
        value={extent}
        onChange={setExtent}
        options={[
          {
            value: 'all',
            label: paymentText(refunded === 0 ? 'allOfIt' : 'allLeft', { amount: most }),
            note: paymentText(NOTES[effect].all),
          },
          { value: 'part', label: paymentText('aPart'), note: paymentText(NOTES[effect].part) },
        ]}
      />
      {extent === 'part' && (
        <TextField
          label={paymentText('amountIn', { currency: currency.toUpperCase() })}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          help={paymentText('atMost', { amount: most })}
          error={isWrong ? paymentText('amountWrong', { amount: most }) : fields['amount']}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <TextField
        label={paymentText('refundReason')}
        help={paymentText('refundReasonHelp')}
        maxLength={REFUND_REASON_MAX}
        value={reason}
        error={fields['reason']}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
};
