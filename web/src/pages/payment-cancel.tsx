import type { ReactNode } from 'react';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { billingText } from '../messages/billing.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

const PaymentCancelPage = (): ReactNode => {
  usePageInfo({ pageName: 'payment-cancel', pageTitle: billingText('canceled'), pageDescripttion: '' });
  return (
    <>
      <PageHeader title={billingText('canceled')} description={billingText('canceledText')} />
      <ButtonLink to={paths.payments}>{billingText('backToPlan')}</ButtonLink>
    </>
  );
};

export default PaymentCancelPage;
