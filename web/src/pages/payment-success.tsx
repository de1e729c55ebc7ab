import { useEffect, type ReactNode } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { Congratulations, PaymentResult, ResultPanel } from '../features/billing/payment-result.tsx';
import { useConfirmation, type Confirmation } from '../features/billing/use-confirmation.ts';
import { markPaymentPending } from '../lib/data/pending-payment.ts';
import { paths } from '../lib/paths.ts';
import { useAppDispatch, useAppSelector } from '../lib/state/hooks.ts';
import { page } from '../lib/state/page.ts';
import { usePageInfo } from '../lib/use-page-info.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Heading } from '../ui/page-header.tsx';
import { Bar } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';

const Processing = (): ReactNode => (
  <div role="status" className="stack">
    <Heading>Payment</Heading>
    <p>Don&apos;t close this tab. Your payment is processing</p>
    <Bar width="60%" />
    <Bar width="40%" />
  </div>
);

/** The session ended while paying. The address with its xsl is kept, and the payment is settled after log in. */
const LoggedOut = (): ReactNode => {
  const { pathname, search } = useLocation();
  const dispatch = useAppDispatch();
  useEffect(() => {
    markPaymentPending();
    dispatch(page.lastPageSet(pathname + search));
  }, [dispatch, pathname, search]);
  return (
    <>
      <Heading>Your payment is received</Heading>
      <p>Your session ended while you were paying. Log in to see your plan; we bring you back here.</p>
      <ButtonLink look="primary" to={paths.login}>
        Log In
      </ButtonLink>
    </>
  );
};

const NoPayment = (): ReactNode => (
  <>
    <Heading>Payment</Heading>
    <p>There is no payment to show here. Your plan is on the Subscription Status page.</p>
    <ButtonLink to={paths.payments}>Go to Subscription Status</ButtonLink>
  </>
);

const Step = ({ confirmation, onRetry }: { confirmation: Confirmation; onRetry: () => void }): ReactNode => {
  if (confirmation.step === 'processing') return <Processing />;
  if (confirmation.step === 'failed')
    return (
      <>
        <ErrorState
          title="Your payment could not be confirmed yet"
          message={confirmation.failure.message}
          onRetry={onRetry}
        />
        <ButtonLink to={paths.payments}>Go to Subscription Status</ButtonLink>
      </>
    );
  if (confirmation.step === 'sent') return <Congratulations />;
  return <PaymentResult user={confirmation.user} />;
};

const PaymentSuccessPage = (): ReactNode => {
  const [query] = useSearchParams();
  const xsl = query.get('xsl');
  const auth = useAppSelector((state) => state.endUserAuth);
  const { confirmation, retry } = useConfirmation(xsl);
  const isAnswered = confirmation.step === 'sent' || confirmation.step === 'done';
  usePageInfo({
    pageName: 'payment-success',
    pageTitle: isAnswered ? 'Congratulations!' : 'Payment',
    pageDescripttion: '',
  });
  const isOut = !auth.isEndUserLoggedIn && auth.phase === 'known';
  return (
    <ResultPanel>
      {xsl === null ? (
        <NoPayment />
      ) : isOut ? (
        <LoggedOut />
      ) : (
        <Step confirmation={confirmation} onRetry={retry} />
      )}
    </ResultPanel>
  );
};

export default PaymentSuccessPage;
