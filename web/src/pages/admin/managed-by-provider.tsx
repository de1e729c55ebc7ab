// The pages whose subject is managed at the payment provider.
import { readableEmail } from '@shortlist/contracts/unicode';
import type { UserView } from '@shortlist/contracts/api/profile';
import { fullName } from '@shortlist/contracts/messages';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useConfig } from '../../lib/data/use-config.ts';
import { useUserById } from '../../lib/data/use-directory.ts';
import { providerPage, paths } from '../../lib/paths.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { adminText } from '../../messages/admin.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ExternalLink, ICON } from '../../ui/inline.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { isSettled } from '../../ui/query-view.tsx';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';

type ManagedByProviderProps = { title: string; text: string; customerId?: string | null; end?: ReactNode };

/** Leads to the payment provider's dashboard, at the customer's page if there is one. */
const ManagedByProvider = ({ title, text, customerId = null, end }: ManagedByProviderProps): ReactNode => {
  const { links } = useConfig();
  const href = customerId === null ? links.provider : providerPage(links.provider, 'customers', customerId);
  return (
    <section className="panel measure" aria-label={title}>
      <div className="panel-body">
        <p>{text}</p>
      </div>
      <div className="panel-actions">
        <ExternalLink className="button" href={href}>
          {adminText('openProvider')}
          <ArrowUpRight {...ICON} />
        </ExternalLink>
        {end}
      </div>
    </section>
  );
};

export const EditSubscriptionPage = (): ReactNode => {
  const title = headingText('editSubscription');
  usePageInfo({ pageName: 'edit-subscription', pageTitle: title, pageDescription: '' });
  return (
    <>
      <PageHeader title={title} />
      <ManagedByProvider title={title} text={adminText('editSubscriptionManaged')} />
    </>
  );
};

const TITLE = shellText('manageSubscription');

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

/** Of all subscriptions, or of one user. */
export const ManageSubscriptionPage = (): ReactNode => {
  const id = useSearchParams()[0].get('user_id') || null;
  const query = useUserById(id);
  const { data: user } = query;
  usePageInfo({ pageName: 'subscription-management', pageTitle: TITLE, pageDescription: '' });
  const isLoading = id !== null && !isSettled(query);
  return (
    <>
      <PageHeader
        title={TITLE}
        description={user && adminText('ofUser', { name: fullName(user), email: readableEmail(user.email) })}
      />
      {/* The name above it would move it. */}
      {!isLoading && <ManagedSubscription user={user} />}
    </>
  );
};
