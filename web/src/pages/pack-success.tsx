import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type PackConfirmation, PackResult, usePackConfirmation } from '../features/billing/pack-result.tsx';
import { LoggedOut, Processing, ResultPanel } from '../features/billing/result-panel.tsx';
import { paths } from '../lib/paths.ts';
import { useAppSelector, usePageInfo } from '../lib/state/hooks.tsx';
import { billingText } from '../messages/billing.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Heading } from '../ui/page-header.tsx';
import { ErrorState } from '../ui/states.tsx';

const ToCredits = (): ReactNode => <ButtonLink to={paths.credits}>{billingText('goToCredits')}</ButtonLink>;

const NoPack = (): ReactNode => (
  <>
    <Heading>{billingText('payment')}</Heading>
    <p>{billingText('noPack')}</p>
    <ToCredits />
  </>
);

type Failed = Extract<PackConfirmation, { step: 'failed' }>;

/** A bank debit, which the bank confirms within days. */
const Pending = ({ failure }: Failed): ReactNode => (
  <>
    <Heading>{billingText('onItsWay')}</Heading>
    <p>{failure.message}</p>
    <ToCredits />
  </>
);

/** A final failure has no Retry, because the result would be the same. */
const NotConfirmed = ({ failure, isFinal, onRetry }: Failed & { onRetry: () => void }): ReactNode => (
  <>
    <Heading>{billingText('payment')}</Heading>
    {isFinal ? (
      <ErrorState
        title={billingText('notConfirmed')}
        message={failure.code === 'request.invalid' ? billingText('unknownPayment') : failure.message}
      />
    ) : (
      <ErrorState title={billingText('notConfirmedYet')} message={failure.message} onRetry={onRetry} />
    )}
    <ToCredits />
  </>
);

type StepProps = { confirmation: PackConfirmation; onRetry: () => void };

const Step = ({ confirmation, onRetry }: StepProps): ReactNode => {
  if (confirmation.step === 'processing') return <Processing />;
  if (confirmation.step === 'done') return <PackResult pack={confirmation.pack} />;
  if (confirmation.failure.code === 'billing.pack_processing') return <Pending {...confirmation} />;
  return <NotConfirmed {...confirmation} onRetry={onRetry} />;
};

const PackSuccessPage = (): ReactNode => {
  const [query] = useSearchParams();
  const xsl = query.get('xsl') ?? '';
  const isLoggedIn = useAppSelector((state) => state.endUserAuth.isEndUserLoggedIn);
  const { confirmation, retry } = usePackConfirmation(xsl);
  usePageInfo({
    pageName: 'pack-success',
    pageTitle:
      confirmation.step === 'done'
        ? billingText('packAdded', { credits: confirmation.pack.credits })
        : billingText('payment'),
    pageDescripttion: '',
  });
  return (
    <ResultPanel>
      {xsl === '' ? (
        <NoPack />
      ) : isLoggedIn ? (
        <Step confirmation={confirmation} onRetry={retry} />
      ) : (
        <LoggedOut />
      )}
    </ResultPanel>
  );
};

export default PackSuccessPage;
