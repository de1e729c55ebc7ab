import Activity from 'lucide-react/icons/activity';
import Banknote from 'lucide-react/icons/banknote';
import ChartColumn from 'lucide-react/icons/chart-column';
import CreditCard from 'lucide-react/icons/credit-card';
import Gauge from 'lucide-react/icons/gauge';
import House from 'lucide-react/icons/house';
import Info from 'lucide-react/icons/info';
import KeyRound from 'lucide-react/icons/key-round';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import ListChecks from 'lucide-react/icons/list-checks';
import Mail from 'lucide-react/icons/mail';
import Megaphone from 'lucide-react/icons/megaphone';
import Plug from 'lucide-react/icons/plug';
import ReceiptText from 'lucide-react/icons/receipt-text';
import Repeat from 'lucide-react/icons/repeat';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldCheck from 'lucide-react/icons/shield-check';
import UserLock from 'lucide-react/icons/user-lock';
import UserRound from 'lucide-react/icons/user-round';
import UserRoundCheck from 'lucide-react/icons/user-round-check';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import UsersRound from 'lucide-react/icons/users-round';
import type { Permission } from '@shortlist/contracts/admin-permissions';
import type { PublicConfig } from '@shortlist/contracts/api/public';
import { paths } from '../../lib/paths.ts';
import { shellText } from '../../messages/shell.ts';

export type NavEntry = {
  label: string;
  icon: typeof House;
  /** A path of the product, or the name of an external link. */
  to: string | { external: keyof PublicConfig['links'] };
  /** Other pages on which the entry is marked as current. */
  alsoCurrentOn?: string[];
  /** The page forwards to another site. Such an entry is never marked as current. */
  forwards?: boolean;
  /** Of an admin's role; every admin has the others. */
  permission?: Permission;
};

type NavGroup = { title: string; entries: NavEntry[] };

const accountNavigation: NavEntry[] = [
  { label: shellText('home'), icon: House, to: paths.home },
  { label: shellText('personalInfo'), icon: UserRound, to: paths.profile },
  {
    label: shellText('subscription'),
    icon: CreditCard,
    to: paths.subscription,
    alsoCurrentOn: [paths.payments, paths.paymentSuccess, paths.paymentCancel],
  },
  // Both lead to one page (docs/product.md); /payments is linked from Home, the account menu and that page.
  { label: shellText('portal'), icon: ReceiptText, to: paths.subscription, forwards: true },
  { label: shellText('credits'), icon: Gauge, to: paths.credits },
  { label: shellText('security'), icon: ShieldCheck, to: paths.security },
  {
    label: shellText('connections'),
    icon: Plug,
    to: paths.connections,
    alsoCurrentOn: ['/connections/webhook'],
  },
  { label: shellText('yourData'), icon: UserLock, to: paths.privacy },
  { label: shellText('about'), icon: Info, to: { external: 'about' } },
  { label: shellText('support'), icon: LifeBuoy, to: { external: 'support' } },
];

const adminNavigation: NavEntry[] = [
  { label: shellText('dashboard'), icon: LayoutDashboard, to: paths.admin },
  { label: shellText('createUser'), icon: UserRoundPlus, to: paths.addUser, permission: 'users.create' },
  {
    label: shellText('allUsers'),
    icon: UsersRound,
    to: paths.userList,
    alsoCurrentOn: ['/admin/edit-user', '/admin/user-details'],
  },
  { label: shellText('newUsers'), icon: UserRoundCheck, to: paths.newUsers },
  {
    label: shellText('payments'),
    icon: Banknote,
    to: paths.adminPayments,
    alsoCurrentOn: ['/admin/payment'],
    permission: 'revenue.read',
  },
  {
    label: shellText('manageSubscription'),
    icon: Repeat,
    to: paths.manageSubscription,
    alsoCurrentOn: ['/admin/edit-subscription'],
  },
  {
    label: shellText('reports'),
    icon: ChartColumn,
    to: paths.adminReports,
    alsoCurrentOn: [paths.reportEntries],
    permission: 'revenue.read',
  },
];

const operations: NavEntry[] = [
  { label: shellText('team'), icon: KeyRound, to: paths.adminTeam, permission: 'team.manage' },
  { label: shellText('jobs'), icon: ListChecks, to: paths.adminJobs },
  { label: shellText('notices'), icon: Megaphone, to: paths.adminNotices, permission: 'notices.write' },
  { label: shellText('connectedTools'), icon: Plug, to: paths.adminTools, permission: 'tools.manage' },
  { label: shellText('emails'), icon: Mail, to: paths.adminEmails },
  { label: shellText('auditLog'), icon: ScrollText, to: paths.adminAudit, permission: 'audit.read' },
  { label: shellText('system'), icon: Activity, to: paths.adminSystem },
];

/** The first group gives the sidebar its name. */
export const navigationOf = (isAdmin: boolean): [NavGroup, ...NavGroup[]] =>
  isAdmin
    ? [
        { title: shellText('adminPanel'), entries: adminNavigation },
        { title: shellText('operations'), entries: operations },
      ]
    : [{ title: shellText('account'), entries: accountNavigation }];
