import type { CreditsView } from '@shortlist/contracts/api/credits';
import type { ReactNode } from 'react';
import { longDay } from '../../lib/dates.ts';
import { count } from '../../lib/money.ts';
import { creditsText } from '../../messages/credits.ts';
import { Details } from '../../ui/panel.tsx';

const periodRows = ({ windowStart, windowEnd }: CreditsView): [string, string][] => {
  if (windowStart === null || windowEnd === null)
    return [[creditsText('starts'), creditsText('withFirstCredit')]];
  return [
    [creditsText('started'), longDay(windowStart)],
    [creditsText('ends'), longDay(windowEnd)],
  ];
};

/** The plan and the period behind the balance. */
export const WindowDetails = ({ credits }: { credits: CreditsView }): ReactNode => (
  <div className="panel-body">
    <h2 className="visually-hidden">{creditsText('period')}</h2>
    <Details
      isStrip
      rows={[
        [creditsText('plan'), creditsText(credits.plan)],
        ...periodRows(credits),
        [creditsText('premiumUsed'), count(credits.premiumUsed)],
        [creditsText('freeUsed'), count(credits.freeUsed)],
      ]}
    />
  </div>
);
