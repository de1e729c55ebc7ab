import type { ReactNode } from 'react';
import { ManagedByProvider } from '../../features/billing/managed-by-provider.tsx';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = 'Reports';

const ReportsPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-reports', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader title={TITLE} />
      <ManagedByProvider subject="Reports are" />
    </>
  );
};

export default ReportsPage;
