import type { PaymentDetail, RefundInput } from '@shortlist/contracts/api/payments';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { PREMIUM_CREDITS, REFUND_REASON_MAX } from '@shortlist/contracts/limits';
import { inMinorUnits } from '@shortlist/contracts/messages';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { money } from '../../lib/money.ts';
import { paymentText } from '../../messages/payments.ts';
import { Pick, PickMany } from '../../ui/choices.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { usePaymentChange } from './payment-actions.tsx';

type RefundDialogProps = { payment: PaymentDetail; onClose: () => void };

const useRefund = ({ payment: { invoiceId, currency }, onClose }: RefundDialogProps) => {
  // A second press after a lost response refunds nothing twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  return usePaymentChange(async (input: Omit<RefundInput, 'invoiceId'>, token) => {
    await call(publicEndpoints.refundPayment, { invoiceId, ...input }, { token, idempotencyKey });
    return paymentText('refundDone', { amount: money(input.amount, currency) });
  }, onClose);
};

/** What becomes of the plan or the pack. */
const NOTES = {
  plan: { all: 'endsPlan', part: 'partOfPlan' },
  pack: { all: 'endsPack', part: 'partOfPack' },
  nothing: { all: 'endsNothing', part: 'partOfNothing' },
} as const;

const readPart = (typed: string, left: number, currency: string) => {
  const amount = inMinorUnits(typed, currency);
  return { amount, isWrong: typed !== '' && (amount === null || amount < 1 || amount > left) };
};

type CreditsChoiceProps = { credits: number; isTaken: boolean; onChange: (isTaken: boolean) => void };

/** Whether a refund of a part takes back its share of the month's credits. */
const CreditsChoice = ({ credits, isTaken, onChange }: CreditsChoiceProps): ReactNode => (
  <PickMany
    legend={paymentText('planCredits')}
    options={[
      { value: 'take', label: paymentText('takeCredits'), note: paymentText('takeCreditsNote', { credits }) },
    ]}
    values={isTaken ? ['take'] : []}
    error={undefined}
    onChange={(values) => onChange(values.length > 0)}
  />
);

/** Refunds all that is left of a payment, or a part. */
export const RefundDialog = (props: RefundDialogProps): ReactNode => {
  // What the dialog is about stays when the payment changes meanwhile: the server has the last word.
  const [{ left, currency, effect, refunded, amount: paid }] = useState(props.payment);
  const [extent, setExtent] = useState<'all' | 'part'>('all');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [isTaken, setIsTaken] = useState(false);
  const { isBusy, failure, run } = useRefund(props);
  const fields = failure?.fields ?? {};
  const most = money(left, currency);
  const { amount, isWrong } =
    extent === 'all' ? { amount: left, isWrong: false } : readPart(typed, left, currency);
  const shown = amount === null || isWrong ? 0 : amount;
  const isOfCredits = extent === 'part' && effect === 'plan';
  const choice = isTaken && isOfCredits ? { takesCredits: true } : {};
  return (
    <ConfirmDialog
      title={paymentText('refundTitle')}
      confirmLabel={paymentText('refundButton', { amount: money(shown, currency) })}
      isBad
      command={{
        isBusy,
        failure,
        run: () => run({ amount: amount ?? 0, left, reason: reason.trim(), ...choice }),
      }}
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
      {isOfCredits && (
        <CreditsChoice
          credits={Math.floor((PREMIUM_CREDITS * shown) / paid)}
          isTaken={isTaken}
          onChange={setIsTaken}
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
