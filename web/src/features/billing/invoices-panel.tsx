import type { InvoiceView } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import Download from 'lucide-react/icons/download';
import { type ReactNode, useState } from 'react';
import { failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { ExternalLink, ICON } from '../../ui/inline.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { invoiceDate, invoicesOf, statusOf, totalsOf, yearsOf } from './invoice-texts.ts';

const reasonOf = ({ credits, periodStart, periodEnd }: InvoiceView): string => {
  if (credits !== null) return billingText('forPack', { credits });
  const dayOf = (date: string | null): string => (date === null ? '' : shortDay(date));
  return billingText('forPlan', { start: dayOf(periodStart), end: dayOf(periodEnd) });
};

/** The file is at Stripe, whose address for it works for a while. */
const InvoiceFile = ({ invoiceId, number }: InvoiceView): ReactNode => {
  const token = useUserToken();
  const browser = useBrowser();
  const dispatch = useAppDispatch();
  const { isBusy, run } = useCommand(async (): Promise<void> => {
    try {
      browser.assign((await call(publicEndpoints.openInvoiceFile, { invoiceId }, { token })).url);
    } catch (thrown) {
      dispatch(toasts.added(failureOf(thrown).message, true));
    }
  });
  const label = billingText('download', { number: number ?? '' });
  return (
    <IconButton
      label={label}
      icon={<Download {...ICON} />}
      isReadOnly
      isBusy={isBusy}
      onClick={() => void run()}
    />
  );
};

const Row = ({ invoice }: { invoice: InvoiceView }): ReactNode => {
  const { number, payUrl, amount, currency } = invoice;
  const date = invoiceDate(invoice);
  return (
    <tr>
      <td className="data-table-name">{number ?? '—'}</td>
      <td className="num nowrap">{date !== null && <time dateTime={date}>{shortDay(date)}</time>}</td>
      <td className="num">{reasonOf(invoice)}</td>
      <td>
        {statusOf(invoice)}{' '}
        {payUrl !== null && <ExternalLink href={payUrl}>{billingText('pay')}</ExternalLink>}
      </td>
      <td className="num align-end">{money(amount, currency)}</td>
      <td className="align-end is-last">
        <InvoiceFile {...invoice} />
      </td>
    </tr>
  );
};

const COLUMNS = ['number', 'date', 'reason', 'status'] as const;

const Table = ({ invoices, year }: { invoices: InvoiceView[]; year: string }): ReactNode => (
  <div className="table-scroll">
    <table className="data-table is-stacked is-brief">
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {billingText(column)}
            </th>
          ))}
          <th scope="col" className="align-end">
            {billingText('amount')}
          </th>
          <th scope="col" className="align-end">
            {billingText('file')}
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <Row key={invoice.invoiceId} invoice={invoice} />
        ))}
      </tbody>
      <tfoot>
        {totalsOf(invoices).map(({ currency, count, amount }) => (
          <tr key={currency}>
            <td colSpan={4}>{billingText('total', { year, count })}</td>
            <td className="num align-end">{money(amount, currency)}</td>
            <td />
          </tr>
        ))}
      </tfoot>
    </table>
  </div>
);

/** The user's invoices of one year, with their files and what they amount to. A user who never paid sees none. */
export const InvoicesPanel = ({ hasCustomer }: { hasCustomer: boolean }): ReactNode => {
  const query = useQuery('subscription', publicEndpoints.invoices, hasCustomer ? {} : null);
  const [chosen, setChosen] = useState<string | null>(null);
  if (!hasCustomer) return null;
  const years = yearsOf(query.data ?? []);
  const year = years.find((one) => one === chosen) ?? years[0] ?? '';
  const end = (
    <div className="button-row">
      {years.length > 1 && (
        <div className="select">
          <select
            aria-label={billingText('year')}
            value={year}
            onChange={(event) => setChosen(event.target.value)}
          >
            {years.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </div>
      )}
      <ButtonLink to={paths.subscription}>{billingText('managePortal')}</ButtonLink>
    </div>
  );
  return (
    <Panel title={billingText('invoices')} end={end} isBare>
      <QueryView
        query={query}
        skeleton={<LinesSkeleton label={billingText('invoicesLoading')} lines={3} />}
        errorTitle={billingText('invoicesFailed')}
        reassurance={billingText('planUnaffected')}
      >
        {(invoices) =>
          invoices.length === 0 ? (
            <EmptyState>{billingText('noInvoices')}</EmptyState>
          ) : (
            <Table invoices={invoicesOf(invoices, year)} year={year} />
          )
        }
      </QueryView>
    </Panel>
  );
};
