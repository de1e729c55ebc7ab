import type { ReactNode } from 'react';
import { ManagedByProvider } from '../../features/billing/managed-by-provider.tsx';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = 'Payments';

const AdminPaymentsPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-payments', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader title={TITLE} />
      <ManagedByProvider subject="Payments are" />
    </>
  );
};

export default AdminPaymentsPage;
