import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { shortTime } from '../lib/dates.ts';
import { ICON } from './inline.tsx';

/**
 * Focuses the page's heading. Called before the focused control disappears, which would move the focus to the start of the
 * document.
 */
export const focusHeading = (): void =>
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });

/** A list of what happened, the newest first. */
export const Trail = ({ children }: { children: ReactNode }): ReactNode => (
  <ol className="trail">{children}</ol>
);

type TrailEntryProps = { at: string; title: ReactNode; note: string; isWarning?: boolean };

export const TrailEntry = ({ at, title, note, isWarning = false }: TrailEntryProps): ReactNode => (
  <li>
    <time className="num" dateTime={at}>
      {shortTime(at)}
    </time>
    <div className="trail-text">
      <p className={isWarning ? 'trail-title is-warn' : 'trail-title'}>
        {isWarning && <TriangleAlert {...ICON} />}
        {title}
      </p>
      <p className="trail-note">{note}</p>
    </div>
  </li>
);

type HeadingProps = { children: ReactNode };

/**
 * The heading of a page. It takes the focus after a navigation, so that screen readers start there, and before the browser
 * paints, so that it cannot take it from a field in which the user already types.
 */
export const Heading = ({ children }: HeadingProps): ReactNode => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const isFirst = useRef(key === 'default');
  useLayoutEffect(() => {
    if (!isFirst.current) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
};

type PageHeaderProps = { title: string; description?: ReactNode; actions?: ReactNode };

export const PageHeader = ({ title, description, actions }: PageHeaderProps): ReactNode => (
  <header className="page-header">
    <div>
      <Heading>{title}</Heading>
      {description && <p>{description}</p>}
    </div>
    {actions && <div className="page-actions">{actions}</div>}
  </header>
);
