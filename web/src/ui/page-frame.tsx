import type { PublicConfig } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { shellText } from '../messages/shell.ts';
import { DoneMark } from './inline.tsx';
import { Heading } from './page-header.tsx';

export const BrandMark = (): ReactNode => (
  <svg
    className="brand-mark"
    width="22"
    height="22"
    viewBox="0 0 24 24"
    fill="currentColor"
    aria-hidden="true"
  >
    <path d="M2 3.5h4v17H2zM9 3.5h13V7H9z" />
    <path d="M9 10.25h13v3.5H9zM9 17h8v3.5H9z" opacity=".38" />
  </svg>
);

type FooterProps = { brand: string; links: Partial<PublicConfig['links']> };

export const Footer = ({ brand, links }: FooterProps): ReactNode => (
  <footer className="page-footer">
    <span>{shellText('copyright', { brand })}</span>
    {links.privacy && (
      <a href={links.privacy} target="_blank" rel="noopener noreferrer">
        {shellText('privacy')}
      </a>
    )}
    {links.terms && (
      <a href={links.terms} target="_blank" rel="noopener noreferrer">
        {shellText('terms')}
      </a>
    )}
  </footer>
);

type AuthHeadProps = { title: ReactNode; role?: 'status'; isDone?: boolean; children?: ReactNode };

/** The heading of a page without a session. `isDone` announces a success. */
export const AuthHead = ({ title, role, isDone = false, children }: AuthHeadProps): ReactNode => (
  <header className="auth-head" role={isDone ? 'status' : role}>
    {isDone && <DoneMark />}
    <Heading>{title}</Heading>
    {children}
  </header>
);

type AuthLayoutProps = {
  config: FooterProps;
  /** The path that the brand links to, if it is a link. */
  home?: string;
  isWide?: boolean;
  aside?: ReactNode;
  children: ReactNode;
};

/** The layout of pages without a session: one column, and on wide windows the `aside` next to it. */
export const AuthLayout = ({ config, home, isWide = false, aside, children }: AuthLayoutProps): ReactNode => {
  const brand = (
    <>
      <BrandMark />
      <span>{config.brand}</span>
    </>
  );
  return (
    <div className={aside ? 'auth' : 'auth is-single'}>
      <div className="auth-sheet">
        {home === undefined ? (
          <span className="brand">{brand}</span>
        ) : (
          <Link className="brand" to={home}>
            {brand}
          </Link>
        )}
        <main className={isWide ? 'auth-column is-wide' : 'auth-column'} id="main">
          {children}
        </main>
        <Footer {...config} />
      </div>
      {aside}
    </div>
  );
};
