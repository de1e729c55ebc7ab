import type { UserView } from '@shortlist/contracts/api/public';
import { fullName } from '@shortlist/contracts/messages';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ManagedByProvider } from '../../features/billing/portal.tsx';
import { useUserById } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { adminText } from '../../messages/admin.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { isSettled } from '../../ui/states.tsx';

const TITLE = adminText('manageSubscription');

const ManagedSubscription = ({ user }: { user: UserView | undefined }): ReactNode => (
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
);

const ManageSubscriptionPage = (): ReactNode => {
  const id = useSearchParams()[0].get('user_id') || null;
  const query = useUserById(id);
  const { data: user } = query;
  usePageInfo({ pageName: 'subscription-management', pageTitle: TITLE, pageDescripttion: '' });
  const isLoading = id !== null && !isSettled(query);
  return (
    <>
      <PageHeader
        title={TITLE}
        description={user && adminText('ofUser', { name: fullName(user), email: user.email })}
      />
      {/* The name above it would move it. */}
      {!isLoading && <ManagedSubscription user={user} />}
    </>
  );
};

export default ManageSubscriptionPage;
