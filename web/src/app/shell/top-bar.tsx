import ChevronDown from 'lucide-react/icons/chevron-down';
import LogOut from 'lucide-react/icons/log-out';
import PanelLeft from 'lucide-react/icons/panel-left';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import type { ReactNode } from 'react';
import { useDisplayedPlan, type DisplayedPlan } from '../../lib/data/use-displayed-plan.ts';
import { paths } from '../../lib/paths.ts';
import { adminAuth } from '../../lib/state/admin-auth.ts';
import { endUserAuth } from '../../lib/state/end-user-auth.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
import { layout } from '../../lib/state/layout.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

const PLAN_LABELS: Record<DisplayedPlan, string> = {
  premium: 'Premium User',
  free: 'Free User',
  confirming: 'Payment received',
  unknown: '',
};

const logoutIcon = <LogOut size={18} strokeWidth={1.75} aria-hidden="true" />;
const sidebarIcon = <PanelLeft size={18} strokeWidth={1.75} aria-hidden="true" />;

type PersonProps = { name: string; src: string | null; planLabel: string; isPremium: boolean };

const Person = ({ name, src, planLabel, isPremium }: PersonProps): ReactNode => (
  <>
    <Avatar name={name} src={src} size="small" />
    <span className="account-menu-text">
      <b>{name}</b>{' '}
      <span className={isPremium ? 'account-menu-plan is-premium' : 'account-menu-plan'}>{planLabel}</span>
    </span>{' '}
    <ChevronDown className="account-menu-chevron" size={18} strokeWidth={1.75} aria-hidden="true" />
  </>
);

const UserMenu = (): ReactNode => {
  const dispatch = useAppDispatch();
  const { plan, user } = useDisplayedPlan();
  if (user === undefined) return null;
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <Menu
      label="Account menu"
      trigger={
        <Person
          name={name}
          src={user.picture === null ? null : paths.picture(user.picture)}
          planLabel={PLAN_LABELS[plan]}
          isPremium={plan === 'premium'}
        />
      }
      items={[{ label: 'Logout', icon: logoutIcon, onSelect: () => dispatch(endUserAuth.logoutRequested()) }]}
    />
  );
};

const AdminMenu = (): ReactNode => {
  const dispatch = useAppDispatch();
  return (
    <Menu
      label="Account menu"
      trigger={<Person name="Super admin" src={null} planLabel="Admin" isPremium={false} />}
      items={[{ label: 'Logout', icon: logoutIcon, onSelect: () => dispatch(adminAuth.logoutRequested()) }]}
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
      <IconButton className="burger" label="Menu" icon={sidebarIcon} onClick={onMenu} />
      <IconButton
        className="sidebar-toggle"
        label="Narrow sidebar"
        aria-pressed={isNarrow}
        icon={sidebarIcon}
        onClick={() => dispatch(layout.changed({ sidebarTypes: isNarrow ? others : ['mini', ...others] }))}
      />
    </>
  );
};

type TopBarProps = { isAdmin: boolean; onMenu: () => void; onSettings: () => void };

export const TopBar = ({ isAdmin, onMenu, onSettings }: TopBarProps): ReactNode => (
  <header className="top-bar">
    <SidebarButtons onMenu={onMenu} />
    <span className="spacer" />
    <IconButton
      label="Settings"
      icon={<SlidersHorizontal size={18} strokeWidth={1.75} aria-hidden="true" />}
      onClick={onSettings}
    />
    {isAdmin ? <AdminMenu /> : <UserMenu />}
  </header>
);
