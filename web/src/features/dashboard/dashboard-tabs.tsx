import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { adminText } from '../../messages/admin.ts';
import { shellText } from '../../messages/shell.ts';

const TABS = [
  ['overview', paths.admin],
  ['business', paths.adminReports],
] as const;

/** The pages of the dashboard. */
export const DashboardTabs = ({ current }: { current: (typeof TABS)[number][0] }): ReactNode => (
  <nav className="tabs" aria-label={shellText('dashboard')}>
    {TABS.map(([tab, to]) => (
      <Link key={tab} to={to} aria-current={tab === current ? 'page' : undefined}>
        {adminText(tab)}
      </Link>
    ))}
  </nav>
);
