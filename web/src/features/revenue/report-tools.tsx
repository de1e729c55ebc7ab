import { publicEndpoints } from '@shortlist/contracts/api/public';
import { COMPARISONS, type RevenueView } from '@shortlist/contracts/api/revenue';
import type { ReactNode } from 'react';
import { revenueText } from '../../messages/revenue.ts';
import { DateFilter, ExportButton } from '../../ui/list-frame.tsx';
import { type Report, rangeOf } from './report-state.ts';
import { chartOf, DEFAULT_COMPARISON, DEFAULT_PERIOD, PERIODS } from './revenue.rules.ts';

type ToolSelectProps = {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
};

const ToolSelect = ({ label, value, options, onChange }: ToolSelectProps): ReactNode => (
  <div className="select is-auto">
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  </div>
);

/** Chosen days begin as those of the period before, to be changed from there. */
const PeriodSelect = ({ choice: { period, days }, change }: Report): ReactNode => (
  <ToolSelect
    label={revenueText('period')}
    value={period}
    options={PERIODS.map((value) => [value, revenueText(value)])}
    onChange={(value) =>
      change({
        period: value === DEFAULT_PERIOD ? '' : value,
        ...(value === 'custom' ? days : { from: '', to: '' }),
      })
    }
  />
);

const ComparisonSelect = ({ choice: { compare }, change }: Report): ReactNode => (
  <ToolSelect
    label={revenueText('compareWith')}
    value={compare}
    options={COMPARISONS.map((value) => [value, revenueText(value)])}
    onChange={(value) => change({ compare: value === DEFAULT_COMPARISON ? '' : value })}
  />
);

type CurrencySelectProps = { report: Report; view: RevenueView | undefined };

/** Sums of currencies are never added: where there are several, one is shown. */
const CurrencySelect = ({ report: { change }, view }: CurrencySelectProps): ReactNode => {
  if (view === undefined) return null;
  const currencies = [...new Set([view.currency, ...view.currencies])].toSorted();
  if (currencies.length === 1) return null;
  return (
    <ToolSelect
      label={revenueText('currency')}
      value={view.currency}
      options={currencies.map((value) => [value, value.toUpperCase()])}
      onChange={(currency) => change({ currency })}
    />
  );
};

/** The period in steps as long as the bars of the chart. */
const ExportReport = ({ choice }: Report): ReactNode => {
  const input = { ...rangeOf(choice.days, choice.currency), step: chartOf(choice).step };
  return (
    <ExportButton
      path={`${publicEndpoints.exportRevenue.path}?${new URLSearchParams(input).toString()}`}
      fileName="revenue"
    />
  );
};

type ReportToolsProps = { report: Report; view: RevenueView | undefined };

export const ReportTools = ({ report, view }: ReportToolsProps): ReactNode => (
  <>
    <PeriodSelect {...report} />
    <ComparisonSelect {...report} />
    <CurrencySelect report={report} view={view} />
    <ExportReport {...report} />
  </>
);

export const CustomDays = ({ params, choice, change }: Report): ReactNode =>
  choice.period === 'custom' && (
    <div className="filters">
      <DateFilter name="from" label={revenueText('from')} params={params} onChange={change} />
      <DateFilter name="to" label={revenueText('to')} params={params} onChange={change} />
    </div>
  );
