import type { ReactNode } from 'react';
import { ManagedByProvider } from '../../features/billing/portal.tsx';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { adminText } from '../../messages/admin.ts';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = adminText('payments');

const AdminPaymentsPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-payments', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader title={TITLE} />
      <ManagedByProvider title={TITLE} text={adminText('paymentsManaged')} />
    </>
  );
};

export default AdminPaymentsPage;
