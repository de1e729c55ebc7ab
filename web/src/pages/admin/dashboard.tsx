import { NEWEST_ON_DASHBOARD } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DashboardCards, FindUser } from '../../features/dashboard/dashboard-links.tsx';
import { DashboardTabs } from '../../features/dashboard/dashboard-tabs.tsx';
import { NewestUsers } from '../../features/directory/newest-users.tsx';
import { EarningsPanel, FIRST_PERIOD, useEarnings } from '../../features/dashboard/earnings-panel.tsx';
import { OpenAlerts } from '../../features/system/alerts-panel.tsx';
import { paths } from '../../lib/paths.ts';
import { May, usePageInfo } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { adminText } from '../../messages/admin.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAreSettled } from '../../ui/query-view.tsx';

const TITLE = shellText('dashboard');
const DESCRIPTION = headingText('dashboardNote');

type NewestPanelProps = { isReady?: boolean };

const NewestPanel = ({ isReady = true }: NewestPanelProps): ReactNode => (
  <Panel
    title={shellText('newUsers')}
    isBare
    end={
      <Link className="small is-inline-link" to={paths.newUsers} aria-label={adminText('seeAllNew')}>
        {adminText('seeAll')}
      </Link>
    }
  >
    <NewestUsers limit={NEWEST_ON_DASHBOARD} isLong={false} isReady={isReady} />
  </Panel>
);

/** The rows of users share the height of the figures beside them, and wait until it is known. */
const EarningsAndNewest = (): ReactNode => (
  <>
    <EarningsPanel />
    <NewestPanel isReady={useAreSettled([useEarnings(FIRST_PERIOD)])} />
  </>
);

const DashboardPage = (): ReactNode => {
  usePageInfo({ pageName: 'dashboard', pageTitle: TITLE, pageDescription: DESCRIPTION });
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <May permission="revenue.read">
        <DashboardTabs current="overview" />
      </May>
      <div className="stack">
        <DashboardCards />
        <div className="split is-even">
          <May
            permission="revenue.read"
            otherwise={
              <>
                <div className="stack sheets">
                  <FindUser />
                  <OpenAlerts />
                </div>
                <NewestPanel />
              </>
            }
          >
            <EarningsAndNewest />
          </May>
        </div>
      </div>
    </>
  );
};

export default DashboardPage;
