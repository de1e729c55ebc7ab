import type { ReactNode } from 'react';
import { AccountCards, ToolLinks } from '../features/account/account-cards.tsx';
import { useConfig } from '../lib/data/use-config.ts';
import { useSubscriptionState } from '../lib/data/use-plan.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { headingText } from '../messages/headings.ts';
import { accountText } from '../messages/account.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { CardsSkeleton, Skeleton } from '../ui/states.tsx';

const TITLE = headingText('home');
const DESCRIPTION = headingText('homeNote');

const Cards = (): ReactNode => {
  const { state, plan, view, query } = useSubscriptionState();
  return (
    <QueryView
      query={query}
      skeleton={
        <Skeleton label={accountText('loading')}>
          <CardsSkeleton />
        </Skeleton>
      }
      errorTitle={accountText('failed')}
    >
      {(user) => <AccountCards user={user} state={state} plan={plan} view={view} />}
    </QueryView>
  );
};

const HomePage = (): ReactNode => {
  usePageInfo({ pageName: 'home', pageTitle: TITLE, pageDescription: DESCRIPTION });
  const { links } = useConfig();
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <div className="stack sheets">
        <Cards />
        <ToolLinks links={links} />
      </div>
    </>
  );
};

export default HomePage;
