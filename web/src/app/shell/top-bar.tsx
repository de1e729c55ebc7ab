import LogOut from 'lucide-react/icons/log-out';
import MenuIcon from 'lucide-react/icons/menu';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import type { ReactNode } from 'react';
import { usePlanShown, type PlanShown } from '../../lib/data/use-plan-shown.ts';
import { paths } from '../../lib/paths.ts';
import { adminAuth } from '../../lib/state/admin-auth.ts';
import { endUserAuth } from '../../lib/state/end-user-auth.ts';
import { useAppDispatch } from '../../lib/state/hooks.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

const PLAN_WORDS: Record<PlanShown, string> = {
  premium: 'Premium User',
  free: 'Free User',
  confirming: 'Payment received',
  unknown: '',
};

const logoutIcon = <LogOut size={16} aria-hidden="true" />;

const UserMenu = (): ReactNode => {
  const dispatch = useAppDispatch();
  const { plan, user } = usePlanShown();
  if (user === undefined) return null;
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <Menu
      label="Account menu"
      trigger={
        <>
          <Avatar name={name} src={user.picture === null ? null : paths.picture(user.picture)} />
          <span className="me-words">
            <b>{name}</b> <Badge isPremium={plan === 'premium'}>{PLAN_WORDS[plan]}</Badge>
          </span>{' '}
        </>
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
      trigger={
        <>
          <Avatar name="Super admin" />
          <span className="me-words">
            <b>Super admin</b> <span className="small">Admin</span>
          </span>{' '}
        </>
      }
      items={[{ label: 'Logout', icon: logoutIcon, onSelect: () => dispatch(adminAuth.logoutRequested()) }]}
    />
  );
};

type TopBarProps = { isAdmin: boolean; onMenu: () => void; onSettings: () => void };

export const TopBar = ({ isAdmin, onMenu, onSettings }: TopBarProps): ReactNode => (
  <header className="top">
    <IconButton
      className="burger"
      label="Menu"
      icon={<MenuIcon size={18} aria-hidden="true" />}
      onClick={onMenu}
    />
    <span className="gap" />
    <IconButton
      label="Settings"
      icon={<SlidersHorizontal size={18} aria-hidden="true" />}
      onClick={onSettings}
    />
    {isAdmin ? <AdminMenu /> : <UserMenu />}
  </header>
);
