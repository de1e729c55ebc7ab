import type { ReactNode } from 'react';
import { BrandMark } from './brand-mark.tsx';

type AuthLayoutProps = { brand: string; isWide?: boolean; aside?: ReactNode; children: ReactNode };

/** A form beside what the product offers; on a narrow page the form alone. */
export const AuthLayout = ({ brand, isWide = false, aside, children }: AuthLayoutProps): ReactNode => (
  <div className={aside ? 'auth' : 'auth is-single'}>
    <main className="auth-main" id="main">
      <div className={isWide ? 'auth-column stack is-wide' : 'auth-column stack'}>
        <span className="brand">
          <BrandMark />
          {brand}
        </span>
        {children}
      </div>
    </main>
    {aside && <aside>{aside}</aside>}
  </div>
);
