import type { ReactNode } from 'react';
import {
  ExportPayments,
  FILTERS,
  PaymentFilterBar,
  usePaymentFilters,
} from '../../features/payments/payment-filters.tsx';
import { PaymentList } from '../../features/payments/payment-list.tsx';
import { useConfig } from '../../lib/data/use-config.ts';
import { May, usePageInfo } from '../../lib/state/hooks.tsx';
import { adminText } from '../../messages/admin.ts';
import { shellText } from '../../messages/shell.ts';
import { ExternalLink } from '../../ui/inline.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = shellText('payments');

const PaymentsPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-payments', pageTitle: TITLE, pageDescription: '' });
  const { links } = useConfig();
  const { params, filters, change } = usePaymentFilters();
  return (
    <>
      <PageHeader
        title={TITLE}
        description={
          <>
            {adminText('paymentsManaged')}{' '}
            <ExternalLink href={links.provider}>{adminText('openProvider')}</ExternalLink>
          </>
        }
        actions={
          <May permission="users.export">
            <ExportPayments filters={filters} />
          </May>
        }
      />
      <div className="stack">
        <PaymentFilterBar params={params} onChange={change} />
        <section className="panel" aria-label={TITLE}>
          <PaymentList
            filters={filters}
            onClear={() => change(Object.fromEntries(FILTERS.map((name) => [name, ''])))}
          />
        </section>
      </div>
    </>
  );
};

export default PaymentsPage;
