import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { BrandMark } from './brand-mark.tsx';
import { Footer, type FooterProps } from './footer.tsx';

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
