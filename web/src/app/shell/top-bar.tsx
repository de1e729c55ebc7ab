import ChevronDown from 'lucide-react/icons/chevron-down';
import CreditCard from 'lucide-react/icons/credit-card';
import LogOut from 'lucide-react/icons/log-out';
import PanelLeft from 'lucide-react/icons/panel-left';
import Search from 'lucide-react/icons/search';
import ShieldCheck from 'lucide-react/icons/shield-check';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import UserRound from 'lucide-react/icons/user-round';
import { adminRoleText } from '@shortlist/contracts/admin-permissions';
import type { ReactNode } from 'react';
import { adminName, initialsOf, useOwnAdmin } from '../../lib/data/use-account.ts';
import type { Plan } from '@shortlist/contracts/plan';
import { fullName } from '@shortlist/contracts/messages';
import { usePlan, usePlanEnd } from '../../lib/data/use-plan.ts';
import { paths } from '../../lib/paths.ts';
import { sessions } from '../../lib/state/sessions.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.tsx';
import { layout } from '../../lib/state/layout.ts';
import { shellText } from '../../messages/shell.ts';
import { Avatar, ICON } from '../../ui/inline.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Bar } from '../../ui/states.tsx';

const PLAN_LABELS = { premium: shellText('premiumUser'), free: shellText('freeUser') };

/** Empty while the plan is not known: also during the confirmation of a payment, which the page describes. */
const usePlanLabel = (plan: Plan | null): string => {
  const { isOpen, confirmation } = useAppSelector((state) => state.paymentConfirmation);
  const isProcessing = isOpen && confirmation.step === 'processing';
  return isProcessing || plan === null ? '' : PLAN_LABELS[plan];
};

const ACCOUNT_LINKS = [
  { label: shellText('profile'), icon: <UserRound {...ICON} />, to: paths.profile },
  { label: shellText('security'), icon: <ShieldCheck {...ICON} />, to: paths.security },
  { label: shellText('billing'), icon: <CreditCard {...ICON} />, to: paths.payments },
];

const logoutIcon = <LogOut {...ICON} />;
const sidebarIcon = <PanelLeft {...ICON} />;

/** `initials`: the words whose initials replace the picture, where they are not the name's. */
type PersonProps = { name: string; initials?: string; src: string | null; label: string };

/** The name and the label: of the plan, or of an admin. */
const Identity = ({ name, label }: Pick<PersonProps, 'name' | 'label'>): ReactNode => (
  <>
    <b>{name}</b>{' '}
    <span className={label === PLAN_LABELS.premium ? 'account-menu-plan is-premium' : 'account-menu-plan'}>
      {label}
    </span>
  </>
);

const Person = ({ name, initials = name, src, label }: PersonProps): ReactNode => (
  <>
    <Avatar name={initials} src={src} size="small" />
    <span className="account-menu-text">
      <Identity name={name} label={label} />
    </span>{' '}
    <ChevronDown className="account-menu-chevron" {...ICON} />
  </>
);

/** Keeps the place of the menu, so that the buttons beside it stay where they are. */
const UnknownPerson = (): ReactNode => (
  <span className="account-menu is-unknown" aria-hidden="true">
    <Avatar name="" size="small" />
    <span className="account-menu-text">
      <Bar width="6rem" height="0.75rem" />
    </span>
    <ChevronDown className="account-menu-chevron" {...ICON} />
  </span>
);

const UserMenu = (): ReactNode => {
  const dispatch = useAppDispatch();
  const { plan, user } = usePlan();
  const label = usePlanLabel(plan);
  usePlanEnd();
  if (user === undefined) return <UnknownPerson />;
  const name = fullName(user);
  return (
    <Menu
      label={shellText('accountMenu')}
      trigger={
        <Person name={name} src={user.picture === null ? null : paths.picture(user.picture)} label={label} />
      }
      head={<Identity name={name} label={label} />}
      items={[
        ...ACCOUNT_LINKS,
        {
          label: shellText('logout'),
          icon: logoutIcon,
          onSelect: () => dispatch(sessions.logoutRequested('user')),
        },
      ]}
    />
  );
};

const AdminMenu = (): ReactNode => {
  const dispatch = useAppDispatch();
  const role = useAppSelector((state) => state.sessions.admin.role);
  const { data: admin = { name: '', email: '' } } = useOwnAdmin();
  const label = role === null ? shellText('admin') : adminRoleText(role);
  return (
    <Menu
      label={shellText('accountMenu')}
      trigger={<Person name={adminName(admin)} initials={initialsOf(admin)} src={null} label={label} />}
      head={<Identity name={adminName(admin)} label={label} />}
      items={[
        { label: shellText('security'), icon: <ShieldCheck {...ICON} />, to: paths.adminSecurity },
        {
          label: shellText('logout'),
          icon: logoutIcon,
          onSelect: () => dispatch(sessions.logoutRequested('admin')),
        },
      ]}
    />
  );
};

/** On a wide page one button toggles the narrow sidebar of the settings; on a small page the other opens the drawer. */
const SidebarButtons = ({ onMenu }: { onMenu: () => void }): ReactNode => {
  const types = useAppSelector((state) => state.layout.sidebarTypes);
  const dispatch = useAppDispatch();
  const isNarrow = types.includes('mini') || types.includes('hover');
  const others = types.filter((type) => type === 'boxed');
  return (
    <>
      <IconButton className="burger" label={shellText('menu')} icon={sidebarIcon} onClick={onMenu} />
      <IconButton
        className="sidebar-toggle"
        label={shellText('narrowSidebar')}
        aria-pressed={isNarrow}
        icon={sidebarIcon}
        onClick={() => dispatch(layout.changed({ sidebarTypes: isNarrow ? others : ['mini', ...others] }))}
      />
    </>
  );
};

type TopBarProps = { isAdmin: boolean; onMenu: () => void; onPalette: () => void; onSettings: () => void };

const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent);

export const TopBar = ({ isAdmin, onMenu, onPalette, onSettings }: TopBarProps): ReactNode => (
  <header className="top-bar">
    <SidebarButtons onMenu={onMenu} />
    <span className="top-bar-spacer" />
    <IconButton
      label={shellText(isMac ? 'paletteOnMac' : 'palette')}
      icon={<Search {...ICON} />}
      onClick={onPalette}
    />
    <IconButton label={shellText('settings')} icon={<SlidersHorizontal {...ICON} />} onClick={onSettings} />
    {isAdmin ? <AdminMenu /> : <UserMenu />}
  </header>
);
