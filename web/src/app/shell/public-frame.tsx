import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useConfig } from '../../lib/data/use-config.ts';
import { paths } from '../../lib/paths.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Footer } from './footer.tsx';

/** Around the pages that those see who are not logged in. */
export const PublicFrame = ({ children }: { children: ReactNode }): ReactNode => {
  const { brand } = useConfig();
  return (
    <div className="main">
      <header className="top">
        <Link className="brand" to={paths.home}>
          <BrandMark />
          {brand}
        </Link>
      </header>
      <main className="page" id="main">
        {children}
      </main>
      <Footer />
    </div>
  );
};
