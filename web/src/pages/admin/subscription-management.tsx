import { fullName } from '@shortlist/contracts/profile-fields';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ManagedByProvider } from '../../features/billing/portal.tsx';
import { useUserById } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { adminText } from '../../messages/admin.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = adminText('manageSubscription');

const ManageSubscriptionPage = (): ReactNode => {
  const id = useSearchParams()[0].get('user_id');
  const { data: user } = useUserById(id === '' ? null : id);
  usePageInfo({ pageName: 'subscription-management', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader
        title={TITLE}
        description={user && adminText('ofUser', { name: fullName(user), email: user.email })}
      />
      <ManagedByProvider
        title={TITLE}
        text={adminText('subscriptionsManaged')}
        customerId={user?.stripe_customer_id ?? null}
        end={
          user !== undefined && (
            <ButtonLink variant="quiet" to={paths.editUser(user.id)}>
              {adminText('grantOrEnd')}
            </ButtonLink>
          )
        }
      />
    </>
  );
};

export default ManageSubscriptionPage;
