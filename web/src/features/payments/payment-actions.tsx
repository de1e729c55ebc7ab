import type { PaymentDetail } from '@shortlist/contracts/api/payments';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { readableEmail } from '@shortlist/contracts/unicode';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { money } from '../../lib/money.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { paymentText } from '../../messages/payments.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';

type PaymentProps = { payment: PaymentDetail };

/** Runs a change of a payment, says what it did, closes its dialog, and reads the payment again, after a refusal too. */
export const usePaymentChange = <Input = void,>(
  change: (input: Input, token: string | null) => Promise<string>,
  onClose: () => void,
) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async (input: Input): Promise<void> => {
    try {
      dispatch(toasts.added(await change(input, token)));
      onClose();
    } finally {
      void revalidate(['earnings', 'directory']);
    }
  });
};

const RetryDialog = ({ payment, onClose }: PaymentProps & { onClose: () => void }): ReactNode => {
  const { invoiceId, amount, currency, user } = payment;
  const figure = money(amount, currency);
  const command = usePaymentChange(async (_: void, token) => {
    const { state } = await call(publicEndpoints.retryPayment, { invoiceId }, { token });
    return paymentText(state === 'processing' ? 'retryPending' : 'retryDone');
  }, onClose);
  return (
    <ConfirmDialog
      title={paymentText('retryTitle')}
      confirmLabel={paymentText('retryButton', { amount: figure })}
      command={command}
      onClose={onClose}
    >
      <p>{paymentText('retryText', { amount: figure, name: user.name })}</p>
    </ConfirmDialog>
  );
};

const ReceiptDialog = ({ payment, onClose }: PaymentProps & { onClose: () => void }): ReactNode => {
  const { invoiceId, user } = payment;
  const command = usePaymentChange(async (_: void, token) => {
    await call(publicEndpoints.sendReceipt, { invoiceId }, { token });
    return paymentText('receiptDone');
  }, onClose);
  return (
    <ConfirmDialog
      title={paymentText('receiptTitle')}
      confirmLabel={paymentText('receiptButton')}
      command={command}
      onClose={onClose}
    >
      <p>{paymentText('receiptText', { name: user.name, email: readableEmail(user.email) })}</p>
    </ConfirmDialog>
  );
};

const useOpen = () => {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return { isOpen, open: () => setIsOpen(true), close };
};

/** Charges a past-due invoice to the method on file. */
export const Retry = ({ payment }: PaymentProps): ReactNode => {
  const { isOpen, open, close } = useOpen();
  return (
    <>
      {payment.canRetry && <Button onClick={open}>{paymentText('retry')}</Button>}
      {isOpen && <RetryDialog payment={payment} onClose={close} />}
    </>
  );
};

/** Has the receipt emailed once more. */
export const SendReceipt = ({ payment }: PaymentProps): ReactNode => {
  const { isOpen, open, close } = useOpen();
  return (
    <>
      {payment.hasReceipt && <Button onClick={open}>{paymentText('receipt')}</Button>}
      {isOpen && <ReceiptDialog payment={payment} onClose={close} />}
    </>
  );
};
