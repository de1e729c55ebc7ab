import type { ReactNode } from 'react';

export const BrandMark = (): ReactNode => (
  <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
    <rect x="2" y="2" width="20" height="20" rx="6" fill="currentColor" />
    <path d="M7 8.2h10M7 12h7M7 15.8h4" stroke="var(--surface)" strokeWidth="2" strokeLinecap="round" />
  </svg>
);
