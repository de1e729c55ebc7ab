import type { CreditsView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { longDay } from '../../lib/dates.ts';
import { count } from '../../lib/money.ts';
import { Badge } from '../../ui/badge.tsx';
import { Details } from '../../ui/details.tsx';

const dayOr = (iso: string | null): string => (iso === null ? 'Not started' : longDay(iso));

/** What a person needs in order to trust the figure beside it. */
export const WindowPanel = ({ credits }: { credits: CreditsView }): ReactNode => (
  <section className="panel" aria-labelledby="this-window">
    <div className="body stack">
      <h2 id="this-window">This window</h2>
      <Details
        rows={[
          [
            'Plan',
            <Badge key="plan" isPremium={credits.plan === 'premium'}>
              {credits.plan === 'premium' ? 'Premium' : 'Free'}
            </Badge>,
          ],
          ['Began', dayOr(credits.windowStart)],
          ['Ends', dayOr(credits.windowEnd)],
          ['Premium used', count(credits.premiumUsed)],
          ['Free used', count(credits.freeUsed)],
        ]}
      />
    </div>
  </section>
);
