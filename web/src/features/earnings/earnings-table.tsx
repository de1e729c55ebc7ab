import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/earnings';
import type { ReactNode } from 'react';
import { money } from '../../lib/money.ts';
import { earningsText } from '../../messages/earnings.ts';
import { longBucketName } from './periods.ts';

type EarningsTableProps = { period: EarningsPeriod; view: EarningsView };

export const EarningsTable = ({ period, view }: EarningsTableProps): ReactNode => (
  <div className="scroll">
    <table className="list num">
      <thead>
        <tr>
          <th scope="col">{earningsText(period === 'year' ? 'monthColumn' : 'dayColumn')}</th>
          <th scope="col" className="end">
            {earningsText('earnings')}
          </th>
          <th scope="col" className="end">
            {earningsText('expenses')}
          </th>
        </tr>
      </thead>
      <tbody>
        {view.buckets.map((bucket) => (
          <tr key={bucket.start}>
            <td className="strong">{longBucketName(period, bucket.start)}</td>
            <td className="end">{money(bucket.earnings, view.currency)}</td>
            <td className="end">{money(bucket.expenses, view.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
