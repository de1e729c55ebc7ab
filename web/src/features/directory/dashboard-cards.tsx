import BadgePlus from 'lucide-react/icons/badge-plus';
import CreditCard from 'lucide-react/icons/credit-card';
import FileText from 'lucide-react/icons/file-text';
import List from 'lucide-react/icons/list';
import Plus from 'lucide-react/icons/plus';
import Settings from 'lucide-react/icons/settings';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useDirectory } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { totalWords } from './total-words.ts';

/** Only the totals matter here; the directory gives them with any page. */
const useTotals = (): string => {
  const { data: all } = useDirectory({ limit: 1 });
  const { data: premium } = useDirectory({ limit: 1, plan: 'premium' });
  if (all === undefined) return 'Everybody who registered';
  const registered = `${totalWords(all)} registered`;
  return premium === undefined ? registered : `${registered}, ${totalWords(premium)} premium`;
};

export const DashboardCards = (): ReactNode => {
  const totals = useTotals();
  const cards = [
    { title: 'Create a user', text: 'Add a recruiter by hand', to: paths.addUser, Icon: Plus },
    { title: 'List users', text: totals, to: paths.userList, Icon: List },
    { title: 'Reports', text: 'What the provider reports', to: paths.adminReports, Icon: FileText },
    { title: 'Newly registered users', text: 'The latest 20', to: paths.newUsers, Icon: BadgePlus },
    { title: 'Subscriptions', text: 'Coming Soon', to: paths.manageSubscription, Icon: Settings },
    {
      title: 'Payments made by users',
      text: 'This Field is updating...',
      to: paths.adminPayments,
      Icon: CreditCard,
    },
  ];
  return (
    <div className="cards">
      {cards.map(({ title, text, to, Icon }) => (
        <Link key={title} className="panel is-link" to={to}>
          <span className="body">
            <span className="avatar" aria-hidden="true">
              <Icon size={18} strokeWidth={1.75} />
            </span>
            <span>
              <strong>{title}</strong>
              <span className="small muted num">{text}</span>
            </span>
          </span>
        </Link>
      ))}
    </div>
  );
};
