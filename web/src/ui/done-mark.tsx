import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';

/** Above the heading of a page that reports a success. */
export const DoneMark = (): ReactNode => (
  <span className="done-mark" aria-hidden="true">
    <Check size={22} strokeWidth={2} />
  </span>
);
