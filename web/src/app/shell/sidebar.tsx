import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import X from 'lucide-react/icons/x';
import { useId, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useConfig } from '../../lib/data/use-config.ts';
import { paths } from '../../lib/paths.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { IconButton } from '../../ui/button.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { accountNavigation, adminNavigation, type NavEntry } from './navigation.ts';

const withoutEnd = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);

const Entry = ({ entry, onLeave }: { entry: NavEntry; onLeave: (() => void) | undefined }): ReactNode => {
  const { pathname } = useLocation();
  const { links } = useConfig();
  const Icon = entry.icon;
  const inside = (
    <>
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      <span className="text">{entry.label}</span>
    </>
  );
  if (typeof entry.to !== 'string')
    return (
      <OutsideLink href={links[entry.to.outside]}>
        {inside}
        <ArrowUpRight className="out" size={18} strokeWidth={1.75} aria-hidden="true" />
      </OutsideLink>
    );
  const isCurrent = [entry.to, ...(entry.also ?? [])].map(withoutEnd).includes(withoutEnd(pathname));
  return (
    <Link to={entry.to} aria-current={isCurrent ? 'page' : undefined} onClick={onLeave}>
      {inside}
    </Link>
  );
};

/** With `onLeave` it is the drawer, which is left by every way out of it. */
type SidebarProps = { isAdmin: boolean; onLeave?: () => void };

export const Sidebar = ({ isAdmin, onLeave }: SidebarProps): ReactNode => {
  const { brand } = useConfig();
  const id = useId();
  const title = isAdmin ? 'Admin-Panel' : 'Account';
  return (
    <nav className="side" aria-labelledby={id}>
      <div className="side-head">
        <Link className="brand" to={isAdmin ? paths.admin : paths.home} onClick={onLeave}>
          <BrandMark />
          <span>{brand}</span>
        </Link>
        {onLeave && (
          <IconButton
            label="Close"
            icon={<X size={18} strokeWidth={1.75} aria-hidden="true" />}
            onClick={onLeave}
          />
        )}
      </div>
      <div>
        <h2 id={id}>{title}</h2>
        <div className="nav">
          {(isAdmin ? adminNavigation : accountNavigation).map((entry) => (
            <Entry key={entry.label} entry={entry} onLeave={onLeave} />
          ))}
        </div>
      </div>
    </nav>
  );
};
