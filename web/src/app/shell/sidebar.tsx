import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useId } from 'react';
import { Link } from 'react-router-dom';
import { useConfig } from '../../lib/data/use-config.ts';
import { paths } from '../../lib/paths.ts';
import { useAppSelector, useCan } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { IconButton } from '../../ui/button.tsx';
import { ExternalLink, ICON } from '../../ui/inline.tsx';
import { BrandMark } from '../../ui/page-frame.tsx';
import { type NavEntry, navigationOf } from './navigation.ts';
import { usePagePrefetch, usePendingNavigation } from './pending-navigation.tsx';

/** The width from which the sidebar is beside the page. Source: docs/product.md. */
const WIDE = '(min-width: 1025px)';

/** Closes the drawer when the window becomes wide enough for the sidebar. */
export const useWhenWide = (isOpen: boolean, close: () => void): void => {
  useEffect(() => {
    if (!isOpen) return undefined;
    const query = window.matchMedia(WIDE);
    const listener = (): void => {
      if (query.matches) close();
    };
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  }, [isOpen, close]);
};

const withoutTrailingSlash = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);

const externalIcon = <ArrowUpRight className="external-icon" {...ICON} />;

const isCurrent = ({ to, alsoCurrentOn = [], forwards = false }: NavEntry, pathname: string): boolean =>
  typeof to === 'string' &&
  !forwards &&
  [to, ...alsoCurrentOn].map(withoutTrailingSlash).includes(withoutTrailingSlash(pathname));

const Entry = ({ entry, onClose }: { entry: NavEntry; onClose: (() => void) | undefined }): ReactNode => {
  const { target } = usePendingNavigation();
  const { links } = useConfig();
  const prefetch = usePagePrefetch();
  const Icon = entry.icon;
  const content = (
    <>
      <Icon {...ICON} />
      <span className="nav-text">{entry.label}</span>
    </>
  );
  if (typeof entry.to !== 'string')
    return (
      <ExternalLink href={links[entry.to.external]}>
        {content}
        {externalIcon}
      </ExternalLink>
    );
  return (
    <Link
      {...prefetch(entry.to)}
      to={entry.to}
      aria-current={isCurrent(entry, target) ? 'page' : undefined}
      onClick={onClose}
    >
      {content}
      {entry.forwards && externalIcon}
    </Link>
  );
};

/** With `onClose` it is the drawer, which every link in it closes. */
type SidebarProps = { isAdmin: boolean; onClose?: () => void };

export const Sidebar = ({ isAdmin, onClose }: SidebarProps): ReactNode => {
  const { brand } = useConfig();
  const id = useId();
  const can = useCan();
  const groups = navigationOf(isAdmin);
  // Which entries an admin has depends on the role: until it is known all of them keep their place.
  const isPending = useAppSelector(({ sessions }) => isAdmin && sessions.admin.role === null);
  const isVisible = ({ permission }: NavEntry): boolean =>
    permission === undefined || isPending || can(permission);
  return (
    <nav className="sidebar" aria-labelledby={id}>
      <div className="sidebar-head">
        <Link className="brand" to={isAdmin ? paths.admin : paths.home} onClick={onClose}>
          <BrandMark />
          <span>{brand}</span>
        </Link>
        {onClose && <IconButton label={shellText('close')} icon={<X {...ICON} />} onClick={onClose} />}
      </div>
      {groups.map(({ title, entries }, index) => (
        <div key={title} className={isPending ? 'is-pending' : undefined}>
          <h2 id={index === 0 ? id : undefined}>{title}</h2>
          <div className="nav">
            {entries.filter(isVisible).map((entry) => (
              <Entry key={entry.label} entry={entry} onClose={onClose} />
            ))}
          </div>
        </div>
      ))}
    </nav>
  );
};
