import type { CreditsView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { longDay } from '../../lib/dates.ts';
import { count } from '../../lib/money.ts';
import { Details } from '../../ui/details.tsx';

const dayOr = (iso: string | null): string => (iso === null ? 'Not started' : longDay(iso));

/** The plan and the period behind the balance. */
export const WindowDetails = ({ credits }: { credits: CreditsView }): ReactNode => (
  <div className="body">
    <h2 className="visually-hidden">This window</h2>
    <Details
      isStrip
      rows={[
        ['Plan', credits.plan === 'premium' ? 'Premium' : 'Free'],
        ['Began', dayOr(credits.windowStart)],
        ['Ends', dayOr(credits.windowEnd)],
        ['Premium used', count(credits.premiumUsed)],
        ['Free used', count(credits.freeUsed)],
      ]}
    />
  </div>
);
