import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Congratulations, PaymentResult, useConfirmation } from '../features/billing/payment-result.tsx';
import { LoggedOut, Processing, ResultPanel } from '../features/billing/result-panel.tsx';
import type { Failure } from '../lib/api/api-error.ts';
import { paths } from '../lib/paths.ts';
import { useAppSelector, usePageInfo } from '../lib/state/hooks.tsx';
import type { Confirmation } from '../lib/state/payment-confirmation.ts';
import { billingText } from '../messages/billing.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Heading } from '../ui/page-header.tsx';
import { ErrorState } from '../ui/states.tsx';

const NoPayment = (): ReactNode => (
  <>
    <Heading>{billingText('payment')}</Heading>
    <p>{billingText('noPayment')}</p>
    <ButtonLink to={paths.payments}>{billingText('goToPlan')}</ButtonLink>
  </>
);

/** The message of an invalid checkout id would speak of fields, which this page does not have. */
const messageFor = ({ code, message }: Failure): string =>
  code === 'request.invalid' ? billingText('unknownPayment') : message;

type FailedProps = { confirmation: Extract<Confirmation, { step: 'failed' }>; onRetry: () => void };

/** A bank debit, which the bank confirms within days. */
const Pending = ({ message }: Failure): ReactNode => (
  <>
    <Heading>{billingText('onItsWay')}</Heading>
    <p>{message}</p>
    <ButtonLink variant="primary" to={paths.payments}>
      {billingText('goToPlan')}
    </ButtonLink>
  </>
);

/** A final failure has no Retry, because the result would be the same. */
const Failed = ({ confirmation: { failure, isFinal }, onRetry }: FailedProps): ReactNode => (
  <>
    <Heading>{billingText('payment')}</Heading>
    {isFinal ? (
      <ErrorState title={billingText('notConfirmed')} message={messageFor(failure)} />
    ) : (
      <ErrorState title={billingText('notConfirmedYet')} message={failure.message} onRetry={onRetry} />
    )}
    <ButtonLink to={paths.payments}>{billingText('goToPlan')}</ButtonLink>
  </>
);

const Step = ({ confirmation, onRetry }: { confirmation: Confirmation; onRetry: () => void }): ReactNode => {
  if (confirmation.step === 'processing') return <Processing />;
  if (confirmation.step === 'failed' && confirmation.failure.code === 'billing.payment_processing')
    return <Pending {...confirmation.failure} />;
  if (confirmation.step === 'failed') return <Failed confirmation={confirmation} onRetry={onRetry} />;
  if (confirmation.step === 'confirmed') return <Congratulations />;
  return <PaymentResult user={confirmation.user} />;
};

const PaymentSuccessPage = (): ReactNode => {
  const [query] = useSearchParams();
  const xsl = query.get('xsl') ?? '';
  const isLoggedIn = useAppSelector((state) => state.endUserAuth.isEndUserLoggedIn);
  const { confirmation, retry } = useConfirmation(xsl);
  const isConfirmed = confirmation.step === 'confirmed' || confirmation.step === 'done';
  usePageInfo({
    pageName: 'payment-success',
    pageTitle: billingText(isConfirmed ? 'congratulations' : 'payment'),
    pageDescripttion: '',
  });
  return (
    <ResultPanel>
      {xsl === '' ? (
        <NoPayment />
      ) : isLoggedIn ? (
        <Step confirmation={confirmation} onRetry={retry} />
      ) : (
        <LoggedOut />
      )}
    </ResultPanel>
  );
};

export default PaymentSuccessPage;
