import type { EarningsView } from '@shortlist/contracts/earnings';
import type { ReactNode } from 'react';
import { money } from '../../lib/money.ts';
import { earningsText } from '../../messages/earnings.ts';

/** What the totals leave out: other currencies, which are never added, and fees that are not known yet. */
export const EarningsNotes = ({ view }: { view: EarningsView }): ReactNode => (
  <>
    {view.others.map(({ currency, earnings, expenses }) => (
      <p key={currency} className="small num">
        {earningsText('otherCurrency', {
          earnings: money(earnings, currency),
          expenses: money(expenses, currency),
          currency: currency.toUpperCase(),
        })}
      </p>
    ))}
    {view.unknownFees > 0 && (
      <p className="small">{earningsText('unknownFees', { count: view.unknownFees })}</p>
    )}
  </>
);
