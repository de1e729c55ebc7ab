import type { ReactNode } from 'react';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

const PaymentCancelPage = (): ReactNode => {
  usePageInfo({ pageName: 'payment-cancel', pageTitle: 'Payment canceled', pageDescripttion: '' });
  return (
    <>
      <PageHeader
        title="Payment canceled"
        description="Nothing was charged. You can subscribe whenever you like."
      />
      <ButtonLink to={paths.payments}>Back to Subscription Status</ButtonLink>
    </>
  );
};

export default PaymentCancelPage;
