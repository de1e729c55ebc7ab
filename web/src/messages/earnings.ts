import { messages } from '@shortlist/contracts/messages';

export const earningsText = messages({
  title: 'Earnings And Expenses',
  period: 'Period',
  week: 'This Week',
  month: 'This Month',
  year: 'This Year',
  showChart: 'Show as a chart',
  showTable: 'Show as a table',
  earnings: 'Earnings',
  expenses: 'Expenses',
  tax: 'Tax',
  net: 'Net',
  dayColumn: 'Day',
  monthColumn: 'Month',
  loading: 'Loading earnings',
  failed: 'Earnings could not be loaded',
  chartFailed: 'The chart could not be loaded. The table shows the same figures.',
  definition:
    'Earnings are paid invoices. Expenses are refunds, disputes, and Stripe fees. Neither includes tax. Amounts count on the day Stripe booked them, in your time zone.',
  otherCurrency: 'Also {earnings} in earnings, {expenses} in expenses, and {tax} in tax in {currency}.',
  unknownFees:
    '{count, plural, one {The fee for # payment is not known yet. It is added as soon as Stripe reports it.} other {The fees for # payments are not known yet. They are added as soon as Stripe reports them.}}',
});
