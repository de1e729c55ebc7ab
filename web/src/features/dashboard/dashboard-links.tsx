import type { Permission } from '@shortlist/contracts/admin-permissions';
import { DIRECTORY_COUNT_MAX, DIRECTORY_SEARCH_MAX, NEWEST_ON_PAGE } from '@shortlist/contracts/limits';
import Banknote from 'lucide-react/icons/banknote';
import ChartColumn from 'lucide-react/icons/chart-column';
import Repeat from 'lucide-react/icons/repeat';
import Search from 'lucide-react/icons/search';
import UserRoundCheck from 'lucide-react/icons/user-round-check';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import UsersRound from 'lucide-react/icons/users-round';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useDirectoryTotals } from '../../lib/data/use-directory.ts';
import { timeOfDay } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useCan } from '../../lib/state/hooks.tsx';
import { directoryText } from '../../messages/directory.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Badge, ICON } from '../../ui/inline.tsx';
import { Panel } from '../../ui/panel.tsx';

/** The numbers of all users and of the premium ones. A large directory is not counted each time, so the time is named. */
const useTotals = (): string => {
  const { data } = useDirectoryTotals();
  if (data === undefined) return directoryText('listCardText');
  const { registered, premium, countedAt } = data;
  return registered > DIRECTORY_COUNT_MAX
    ? directoryText('totalsAsOf', { registered, premium, time: timeOfDay(countedAt) })
    : directoryText('totals', { registered, premium });
};

type Cell = {
  title: string;
  text: string;
  to: string;
  Icon: typeof Repeat;
  badge?: string;
  permission?: Permission;
};

const cellsOf = (totals: string): Cell[] => [
  {
    title: directoryText('createCard'),
    text: directoryText('createCardText'),
    to: paths.addUser,
    Icon: UserRoundPlus,
    permission: 'users.create',
  },
  { title: directoryText('listCard'), text: totals, to: paths.userList, Icon: UsersRound },
  {
    title: directoryText('reportsCard'),
    text: directoryText('reportsCardText'),
    to: paths.adminReports,
    permission: 'revenue.read',
    Icon: ChartColumn,
  },
  {
    title: directoryText('newCard'),
    text: directoryText('newCardText', { count: NEWEST_ON_PAGE }),
    to: paths.newUsers,
    Icon: UserRoundCheck,
  },
  {
    title: directoryText('subscriptionsCard'),
    text: directoryText('subscriptionsCardText'),
    to: paths.manageSubscription,
    Icon: Repeat,
    badge: directoryText('comingSoon'),
  },
  {
    title: directoryText('paymentsCard'),
    text: directoryText('paymentsCardText'),
    to: paths.adminPayments,
    permission: 'revenue.read',
    Icon: Banknote,
  },
];

/** The links of the dashboard as the cells of one grid. */
export const DashboardCards = (): ReactNode => {
  const can = useCan();
  const cells = cellsOf(useTotals()).filter(({ permission }) => permission === undefined || can(permission));
  return (
    <nav className="card-grid" aria-label={directoryText('controlPanel')}>
      {cells.map(({ title, text, to, Icon, badge }) => (
        <Link key={title} className="dashboard-card" to={to}>
          <span className="dashboard-title">
            <Icon {...ICON} />
            <strong>{title}</strong>
            {badge !== undefined && <Badge>{badge}</Badge>}
          </span>{' '}
          <span className="num">{text}</span>
        </Link>
      ))}
    </nav>
  );
};

/** Leads to the list of the users whom a text finds. */
export const FindUser = (): ReactNode => {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const search = text.trim();
    void navigate(search === '' ? paths.userList : paths.findUsers(search));
  };
  return (
    <Panel title={directoryText('findTitle')}>
      <form className="find-user" role="search" onSubmit={handleSubmit}>
        <TextField
          label={directoryText('searchHint')}
          type="search"
          maxLength={DIRECTORY_SEARCH_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">
          <Search {...ICON} />
          {directoryText('find')}
        </Button>
      </form>
    </Panel>
  );
};
