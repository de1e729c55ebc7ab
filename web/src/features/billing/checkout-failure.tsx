import type { ReactNode } from 'react';
import type { Failure } from '../../lib/api/api-error.ts';
import { useResend } from '../../lib/state/use-command.ts';
import { billingText } from '../../messages/billing.ts';
import { emailText } from '../../messages/email.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';

/** Nothing is paid before the checkout is open, whatever the provider's failure means elsewhere. */
const checkoutMessage = ({ code, message }: Failure): string =>
  code === 'billing.provider_unavailable' ? billingText('notCharged') : message;

/** Until the address is confirmed, the mail can be sent again from here. */
export const CheckoutFailure = ({ failure, email }: { failure: Failure; email: string }): ReactNode => {
  const resend = useResend();
  return (
    <Alert tone="bad">
      {checkoutMessage(failure)}{' '}
      {failure.code === 'identity.email_unverified' && (
        <Button isSmall isBusy={resend.isBusy} onClick={() => void resend.run(email)}>
          {emailText('sendAgain')}
        </Button>
      )}
    </Alert>
  );
};
