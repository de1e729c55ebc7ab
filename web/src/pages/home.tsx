import type { ReactNode } from 'react';
import { AccountCards } from '../features/account/account-cards.tsx';
import { OutsideLinks } from '../features/account/outside-links.tsx';
import { useConfig } from '../lib/data/use-config.ts';
import { useSubscription } from '../lib/data/use-plan.ts';
import { usePlanShown } from '../lib/data/use-plan-shown.ts';
import { usePageInfo } from '../lib/use-page-info.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Reading } from '../ui/reading.tsx';
import { Bar, Skeleton } from '../ui/skeleton.tsx';

const TITLE = 'Account Management Panel';
const DESCRIPTION = 'You can manage your account and update your subscription from here';

const Waiting = (): ReactNode => (
  <Skeleton label="Loading your account">
    <div className="cards">
      {[1, 2, 3].map((cell) => (
        <div className="panel cell" key={cell}>
          <Bar width="40%" height="1.375rem" />
          <Bar height="3.5rem" />
          <Bar width="50%" height="2.875rem" />
        </div>
      ))}
    </div>
  </Skeleton>
);

const Cards = (): ReactNode => {
  const { plan, reading } = usePlanShown();
  const subscription = useSubscription();
  return (
    <Reading of={reading} waiting={<Waiting />} failed="Your account could not be loaded">
      {(user) => <AccountCards user={user} plan={plan} subscription={subscription} />}
    </Reading>
  );
};

const HomePage = (): ReactNode => {
  usePageInfo({ pageName: 'home', pageTitle: TITLE, pageDescripttion: DESCRIPTION });
  const { links } = useConfig();
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <div className="stack sheets">
        <Cards />
        <OutsideLinks links={links} />
      </div>
    </>
  );
};

export default HomePage;
