import Banknote from 'lucide-react/icons/banknote';
import ChartColumn from 'lucide-react/icons/chart-column';
import Repeat from 'lucide-react/icons/repeat';
import UserRoundCheck from 'lucide-react/icons/user-round-check';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import UsersRound from 'lucide-react/icons/users-round';
import { NEWEST_ON_PAGE } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useDirectory } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { totalLabel } from './total-label.ts';

/** The totals of the directory, which come with any of its pages. */
const useTotals = (): string => {
  const { data: all } = useDirectory({ limit: 1 });
  const { data: premium } = useDirectory({ limit: 1, plan: 'premium' });
  if (all === undefined) return 'Everybody who registered';
  const registered = `${totalLabel(all)} registered`;
  return premium === undefined ? registered : `${registered}, ${totalLabel(premium)} premium`;
};

type Cell = { title: string; text: string; to: string; Icon: typeof Repeat; badge?: string };

const cellsOf = (totals: string): Cell[] => [
  { title: 'Create a user', text: 'Add a recruiter by hand', to: paths.addUser, Icon: UserRoundPlus },
  { title: 'List users', text: totals, to: paths.userList, Icon: UsersRound },
  {
    title: 'Reports',
    text: 'Kept in the payment provider’s dashboard',
    to: paths.adminReports,
    Icon: ChartColumn,
  },
  {
    title: 'Newly registered users',
    text: `The latest ${NEWEST_ON_PAGE}`,
    to: paths.newUsers,
    Icon: UserRoundCheck,
  },
  {
    title: 'Subscriptions',
    text: 'Plans and renewals',
    to: paths.manageSubscription,
    Icon: Repeat,
    badge: 'Coming Soon',
  },
  {
    title: 'Payments made by users',
    text: 'This Field is updating...',
    to: paths.adminPayments,
    Icon: Banknote,
  },
];

/** The links of the dashboard as the cells of one grid. */
export const DashboardCards = (): ReactNode => (
  <nav className="dashboard-grid" aria-label="Control panel">
    {cellsOf(useTotals()).map(({ title, text, to, Icon, badge }) => (
      <Link key={title} to={to}>
        <span className="dashboard-title">
          <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
          <strong>{title}</strong>
          {badge !== undefined && <Badge>{badge}</Badge>}
        </span>{' '}
        <span className="num">{text}</span>
      </Link>
    ))}
  </nav>
);
