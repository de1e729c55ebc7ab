import type { ReactNode } from 'react';
import { ManagedByProvider } from '../../features/billing/managed-by-provider.tsx';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = 'Edit Subscription';

const EditSubscriptionPage = (): ReactNode => {
  usePageInfo({ pageName: 'edit-subscription', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader title={TITLE} />
      <ManagedByProvider subject="Changes to a subscription are" />
    </>
  );
};

export default EditSubscriptionPage;
