import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Focuses the page's heading. Called before the focused control disappears, which would move the focus to the start of the
 * document.
 */
export const focusHeading = (): void =>
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });

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

type PageHeaderProps = { title: string; description?: ReactNode; actions?: ReactNode; className?: string };

export const PageHeader = ({ title, description, actions, className = '' }: PageHeaderProps): ReactNode => (
  <header className={`page-header ${className}`}>
    <div>
      <Heading>{title}</Heading>
      {description && <p>{description}</p>}
    </div>
    {actions && <div className="page-actions">{actions}</div>}
  </header>
);
