import type { ReactNode } from 'react';
import { AccountCards, ToolLinks } from '../features/account/account-cards.tsx';
import { useConfig } from '../lib/data/use-config.ts';
import { useSubscriptionState } from '../lib/data/use-plan.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { accountText } from '../messages/account.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Bar, QueryView, Skeleton } from '../ui/states.tsx';

const TITLE = accountText('title');
const DESCRIPTION = accountText('description');

const CardsSkeleton = (): ReactNode => (
  <Skeleton label={accountText('loading')}>
    <div className="card-grid">
      {[1, 2, 3].map((cell) => (
        <div className="card" key={cell}>
          <Bar width="40%" height="1.375rem" />
          <Bar height="3.5rem" />
          <Bar width="50%" height="2.875rem" />
        </div>
      ))}
    </div>
  </Skeleton>
);

const Cards = (): ReactNode => {
  const { state, plan, view, query } = useSubscriptionState();
  return (
    <QueryView query={query} skeleton={<CardsSkeleton />} errorTitle={accountText('failed')}>
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
