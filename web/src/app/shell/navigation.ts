import BadgePlus from 'lucide-react/icons/badge-plus';
import CreditCard from 'lucide-react/icons/credit-card';
import FileText from 'lucide-react/icons/file-text';
import House from 'lucide-react/icons/house';
import Info from 'lucide-react/icons/info';
import LayoutGrid from 'lucide-react/icons/layout-grid';
import List from 'lucide-react/icons/list';
import LogIn from 'lucide-react/icons/log-in';
import Mail from 'lucide-react/icons/mail';
import Plus from 'lucide-react/icons/plus';
import Settings from 'lucide-react/icons/settings';
import User from 'lucide-react/icons/user';
import Zap from 'lucide-react/icons/zap';
import type { PublicConfig } from '@shortlist/contracts/api/public';
import { paths } from '../../lib/paths.ts';

export type NavEntry = {
  label: string;
  icon: typeof House;
  /** The page it leads to, or the outside link of that name. */
  to: string | { outside: keyof PublicConfig['links'] };
  /** Other pages on which the entry counts as the current one. */
  also?: string[];
};

export const accountNavigation: NavEntry[] = [
  { label: 'Home', icon: House, to: paths.home },
  { label: 'Personal Info', icon: User, to: paths.profile },
  {
    label: 'Subscription',
    icon: CreditCard,
    to: paths.payments,
    also: [paths.paymentSuccess, paths.paymentCancel],
  },
  { label: 'Stripe Billing Portal', icon: LogIn, to: paths.subscription },
  { label: 'Credits & Usage', icon: Zap, to: paths.credits },
  { label: 'About Us', icon: Info, to: { outside: 'about' } },
  { label: 'Contact & Support', icon: Mail, to: { outside: 'support' } },
];

export const adminNavigation: NavEntry[] = [
  { label: 'Dashboard', icon: LayoutGrid, to: paths.admin },
  { label: 'Create a new User', icon: Plus, to: paths.addUser },
  { label: 'All Users', icon: List, to: paths.userList, also: ['/admin/edit-user', '/admin/user-details'] },
  { label: 'New Users', icon: BadgePlus, to: paths.newUsers },
  { label: 'Payments', icon: CreditCard, to: paths.adminPayments },
  {
    label: 'Manage Subscription',
    icon: Settings,
    to: paths.manageSubscription,
    also: ['/admin/edit-subscription'],
  },
  { label: 'Reports', icon: FileText, to: paths.adminReports },
];
