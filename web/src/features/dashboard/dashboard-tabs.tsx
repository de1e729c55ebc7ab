import type { ReactNode } from 'react';
import { paths } from '../../lib/paths.ts';
import { adminText } from '../../messages/admin.ts';
import { shellText } from '../../messages/shell.ts';
import { Tabs } from '../../ui/tabs.tsx';

const TABS = [
  { name: 'overview', to: paths.admin, label: adminText('overview') },
  { name: 'business', to: paths.adminReports, label: adminText('business') },
] as const;

/** The pages of the dashboard. */
export const DashboardTabs = ({ current }: { current: (typeof TABS)[number]['name'] }): ReactNode => (
  <Tabs label={shellText('dashboard')} tabs={TABS} current={current} />
);
