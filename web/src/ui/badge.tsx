import type { ReactNode } from 'react';

export const Badge = ({
  isPremium = false,
  children,
}: {
  isPremium?: boolean;
  children: ReactNode;
}): ReactNode => <span className={isPremium ? 'badge is-premium' : 'badge'}>{children}</span>;
