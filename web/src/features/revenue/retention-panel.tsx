import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { RetentionCohort } from '@shortlist/contracts/api/revenue';
import type { CSSProperties, ReactNode } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { utcMonth } from '../../lib/dates.ts';
import { count, percent } from '../../lib/money.ts';
import { revenueText } from '../../messages/revenue.ts';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { retentionOfAll } from './revenue.rules.ts';

/** The columns that a narrower sheet keeps. */
const KEPT_ON_PHONES = [1, 3, 6];
const KEPT_ON_TABLETS = [...KEPT_ON_PHONES, 2, 4, 9];

const columnClass = (month: number): string | undefined => {
  if (KEPT_ON_PHONES.includes(month)) return undefined;
  return KEPT_ON_TABLETS.includes(month) ? 'is-extra' : 'is-extra is-first-to-go';
};

type CellProps = { cohort: RetentionCohort; month: number };

const Cell = ({ cohort: { people, active }, month }: CellProps): ReactNode => {
  const stayed = active[month - 1];
  if (stayed === undefined || people === 0) return <td className={columnClass(month)} />;
  const style: CSSProperties & { '--share': number } = { '--share': stayed / people };
  return (
    <td className={columnClass(month)}>
      <span
        className={month === active.length ? 'share is-current' : 'share'}
        style={style}
        title={revenueText('someOf', { some: stayed, all: people })}
      >
        {percent(stayed / people)}
      </span>
    </td>
  );
};

const Cohorts = ({ cohorts }: { cohorts: RetentionCohort[] }): ReactNode => {
  const all = retentionOfAll(cohorts);
  const months = all.map((_, index) => index + 1);
  const people = cohorts.reduce((sum, cohort) => sum + cohort.people, 0);
  if (people === 0) return <EmptyState>{revenueText('noCohorts')}</EmptyState>;
  return (
    <div className="table-scroll">
      <table className="data-table cohorts num" aria-label={revenueText('retention')}>
        <thead>
          <tr>
            <th scope="col">{revenueText('startedIn')}</th>
            <th scope="col">{revenueText('users')}</th>
            {months.map((month) => (
              <th key={month} scope="col" className={columnClass(month)}>
                {revenueText('monthAfter', { number: month })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map((cohort) => (
            <tr key={cohort.month}>
              <td className="data-table-name nowrap">{utcMonth(cohort.month)}</td>
              <td>{count(cohort.people)}</td>
              {months.map((month) => (
                <Cell key={month} cohort={cohort} month={month} />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{revenueText('all')}</td>
            <td>{count(people)}</td>
            {all.map((share, index) => (
              <td key={months[index]} className={columnClass(index + 1)}>
                {share === null ? revenueText('unknown') : percent(share)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
};

/** How long those who first paid in a month stay. */
export const RetentionPanel = ({ currency }: { currency: string | undefined }): ReactNode => {
  const input = currency === undefined ? {} : { currency };
  const query = useQuery('earnings', publicEndpoints.retention, input);
  return (
    <Panel title={revenueText('retention')} note={revenueText('retentionNote')} isBare>
      <QueryView
        query={query}
        skeleton={<LinesSkeleton label={revenueText('retentionLoading')} lines={12} />}
        errorTitle={revenueText('retentionFailed')}
      >
        {(cohorts) => <Cohorts cohorts={cohorts} />}
      </QueryView>
    </Panel>
  );
};
