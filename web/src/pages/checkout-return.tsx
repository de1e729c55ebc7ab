// The pages to which a user returns from the checkout of the plan or of a pack. An address without `xsl` is of no checkout.
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type PackConfirmation, PackResult, usePackConfirmation } from '../features/billing/pack-result.tsx';
import { Congratulations, PaymentResult, useConfirmation } from '../features/billing/payment-result.tsx';
import { LoggedOut, Processing, ResultPanel } from '../features/billing/result-panel.tsx';
import type { Failure } from '../lib/api/api-error.ts';
import { paths } from '../lib/paths.ts';
import { useAppSelector, usePageInfo } from '../lib/state/hooks.tsx';
import type { Confirmation } from '../lib/state/payment-confirmation.ts';
import { billingText } from '../messages/billing.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Heading, PageHeader } from '../ui/page-header.tsx';
import { ErrorState } from '../ui/states.tsx';

const useXsl = (): string => useSearchParams()[0].get('xsl') ?? '';

type ReturnProps = { xsl: string; withoutCheckout: ReactNode; children: ReactNode };

const Return = ({ xsl, withoutCheckout, children }: ReturnProps): ReactNode => {
  const isLoggedIn = useAppSelector((state) => state.sessions.user.isLoggedIn);
  const content = isLoggedIn ? children : <LoggedOut />;
  return <ResultPanel>{xsl === '' ? withoutCheckout : content}</ResultPanel>;
};

type EndProps = { end: ReactNode };

const WithoutCheckout = ({ text, end }: EndProps & { text: string }): ReactNode => (
  <>
    <Heading>{billingText('payment')}</Heading>
    <p>{text}</p>
    {end}
  </>
);

/** A bank debit, which the bank confirms within days. */
const Pending = ({ failure, end }: EndProps & { failure: Failure }): ReactNode => (
  <>
    <Heading>{billingText('onItsWay')}</Heading>
    <p>{failure.message}</p>
    {end}
  </>
);

/** The message of an invalid checkout id would speak of fields, which these pages do not have. */
const messageFor = ({ code, message }: Failure): string =>
  code === 'request.invalid' ? billingText('unknownPayment') : message;

const titleFor = ({ code }: Failure): 'trialRefused' | 'notConfirmed' =>
  code === 'billing.trial_refused' ? 'trialRefused' : 'notConfirmed';

type NotConfirmedProps = EndProps & { failure: Failure; isFinal: boolean; onRetry: () => void };

/** A final failure has no Retry, because the result would be the same. */
const NotConfirmed = ({ failure, isFinal, onRetry, end }: NotConfirmedProps): ReactNode => (
  <>
    <Heading>{billingText('payment')}</Heading>
    {isFinal ? (
      <ErrorState title={billingText(titleFor(failure))} message={messageFor(failure)} />
    ) : (
      <ErrorState title={billingText('notConfirmedYet')} message={failure.message} onRetry={onRetry} />
    )}
    {end}
  </>
);

const ToPlan = ({ isPrimary = false }: { isPrimary?: boolean }): ReactNode => (
  <ButtonLink variant={isPrimary ? 'primary' : 'plain'} to={paths.payments}>
    {billingText('goToPlan')}
  </ButtonLink>
);

type PaymentStepProps = { confirmation: Confirmation; onRetry: () => void };

const PaymentStep = ({ confirmation, onRetry }: PaymentStepProps): ReactNode => {
  if (confirmation.step === 'processing') return <Processing />;
  if (confirmation.step === 'failed')
    return confirmation.failure.code === 'billing.payment_processing' ? (
      <Pending failure={confirmation.failure} end={<ToPlan isPrimary />} />
    ) : (
      <NotConfirmed {...confirmation} onRetry={onRetry} end={<ToPlan />} />
    );
  return confirmation.step === 'confirmed' ? <Congratulations /> : <PaymentResult user={confirmation.user} />;
};

export const PaymentSuccessPage = (): ReactNode => {
  const xsl = useXsl();
  const { confirmation, retry } = useConfirmation(xsl);
  const isConfirmed = confirmation.step === 'confirmed' || confirmation.step === 'done';
  usePageInfo({
    pageName: 'payment-success',
    pageTitle: billingText(isConfirmed ? 'congratulations' : 'payment'),
    pageDescription: '',
  });
  const withoutCheckout = <WithoutCheckout text={billingText('noPayment')} end={<ToPlan />} />;
  return (
    <Return xsl={xsl} withoutCheckout={withoutCheckout}>
      <PaymentStep confirmation={confirmation} onRetry={retry} />
    </Return>
  );
};

export const PaymentCancelPage = (): ReactNode => {
  usePageInfo({ pageName: 'payment-cancel', pageTitle: billingText('canceled'), pageDescription: '' });
  return (
    <>
      <PageHeader title={billingText('canceled')} description={billingText('canceledText')} />
      <ButtonLink to={paths.payments}>{billingText('backToPlan')}</ButtonLink>
    </>
  );
};

const toCredits = <ButtonLink to={paths.credits}>{billingText('goToCredits')}</ButtonLink>;

type PackStepProps = { confirmation: PackConfirmation; onRetry: () => void };

const PackStep = ({ confirmation, onRetry }: PackStepProps): ReactNode => {
  if (confirmation.step === 'processing') return <Processing />;
  if (confirmation.step === 'done') return <PackResult pack={confirmation.pack} />;
  if (confirmation.failure.code === 'billing.pack_processing')
    return <Pending failure={confirmation.failure} end={toCredits} />;
  return <NotConfirmed {...confirmation} onRetry={onRetry} end={toCredits} />;
};

export const PackSuccessPage = (): ReactNode => {
  const xsl = useXsl();
  const { confirmation, retry } = usePackConfirmation(xsl);
  usePageInfo({
    pageName: 'pack-success',
    pageTitle:
      confirmation.step === 'done'
        ? billingText('packAdded', { credits: confirmation.pack.credits })
        : billingText('payment'),
    pageDescription: '',
  });
  const withoutCheckout = <WithoutCheckout text={billingText('noPack')} end={toCredits} />;
  return (
    <Return xsl={xsl} withoutCheckout={withoutCheckout}>
      <PackStep confirmation={confirmation} onRetry={retry} />
    </Return>
  );
};
