import type { ReactNode } from 'react';
import { useConfig } from '../../lib/data/use-config.ts';
import { paths } from '../../lib/paths.ts';
import { AuthLayout } from '../../ui/auth-layout.tsx';

/** The layout of the public pages without a session. */
export const PublicShell = ({ children }: { children: ReactNode }): ReactNode => (
  <AuthLayout config={useConfig()} home={paths.home}>
    {children}
  </AuthLayout>
);
