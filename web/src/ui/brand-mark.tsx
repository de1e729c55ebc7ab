import type { ReactNode } from 'react';

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
