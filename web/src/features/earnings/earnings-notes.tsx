import type { EarningsView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { money } from '../../lib/money.ts';

const unknownFeesText = (count: number): string =>
  count === 1
    ? 'The fee of 1 payment is not known yet. It is added as soon as Stripe reports it.'
    : `The fees of ${count} payments are not known yet. They are added as soon as Stripe reports them.`;

/** What the totals leave out: other currencies, which are never added, and fees that are not known yet. */
export const EarningsNotes = ({ view }: { view: EarningsView }): ReactNode => (
  <>
    {view.others.map(({ currency, earnings, expenses }) => (
      <p key={currency} className="small num">
        {`Also ${money(earnings, currency)} earnings and ${money(expenses, currency)} expenses in ${currency.toUpperCase()}.`}
      </p>
    ))}
    {view.unknownFees > 0 && <p className="small">{unknownFeesText(view.unknownFees)}</p>}
  </>
);
