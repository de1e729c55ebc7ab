import type { PaymentAct, PaymentDetail } from '@shortlist/contracts/api/payments';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import Undo2 from 'lucide-react/icons/undo-2';
import { type ReactNode, useCallback, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { DisputesPanel } from '../../features/payments/disputes-panel.tsx';
import { Retry, SendReceipt } from '../../features/payments/payment-actions.tsx';
import { AmountsPanel, PaymentDetailsPanel } from '../../features/payments/payment-panels.tsx';
import { PaymentStateText } from '../../features/payments/payment-state.tsx';
import { subjectOf } from '../../features/payments/payment-texts.ts';
import { PaymentTimeline } from '../../features/payments/payment-timeline.tsx';
import { ProviderEvents } from '../../features/payments/provider-events.tsx';
import { RefundDialog } from '../../features/payments/refund-dialog.tsx';
import { failureOf } from '../../lib/api/api-error.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { money } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { May, usePageInfo } from '../../lib/state/hooks.tsx';
import { paymentText } from '../../messages/payments.ts';
import { shellText } from '../../messages/shell.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Heading } from '../../ui/page-header.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const INVOICE_ID = /^\w{1,64}$/;

const Refund = ({ payment }: { payment: PaymentDetail }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return (
    <>
      {payment.left > 0 && (
        <Button onClick={() => setIsOpen(true)}>
          <Undo2 {...ICON} />
          {paymentText('refund')}
        </Button>
      )}
      {isOpen && <RefundDialog payment={payment} onClose={close} />}
    </>
  );
};

const Content = ({ data, acts }: { data: PaymentDetail; acts: PaymentAct[] }): ReactNode => (
  <>
    <header className="page-header">
      <div>
        <div className="payment-head">
          <Heading>{money(data.amount, data.currency)}</Heading>
          <PaymentStateText state={data.state} />
        </div>
        <p>{subjectOf(data)}</p>
      </div>
      <div className="page-actions">
        <May permission="payments.refund">
          <Retry payment={data} />
          <SendReceipt payment={data} />
          <Refund payment={data} />
        </May>
      </div>
    </header>
    <div className="split">
      <div className="stack">
        <DisputesPanel payment={data} />
        <PaymentTimeline payment={data} acts={acts} />
        <ProviderEvents payment={data} />
      </div>
      <div className="stack">
        <AmountsPanel payment={data} />
        <PaymentDetailsPanel payment={data} />
      </div>
    </div>
  </>
);

const Missing = (): ReactNode => (
  <section className="panel" aria-label={shellText('payments')}>
    <EmptyState action={<ButtonLink to={paths.adminPayments}>{paymentText('toPayments')}</ButtonLink>}>
      {paymentText('notFound')}
    </EmptyState>
  </section>
);

const DetailSkeleton = (): ReactNode => (
  <Skeleton label={paymentText('detailLoading')}>
    <div className="split">
      <SkeletonPanel lines={4} />
      <SkeletonPanel lines={5} />
    </div>
  </Skeleton>
);

const Payment = ({ invoiceId }: { invoiceId: string }): ReactNode => {
  const query = useQuery('earnings', publicEndpoints.payment, { invoiceId });
  if (query.data === undefined && query.error !== undefined && failureOf(query.error).status === 404)
    return <Missing />;
  return (
    <QueryView query={query} skeleton={<DetailSkeleton />} errorTitle={paymentText('detailFailed')}>
      {({ data, acts }) => <Content data={data} acts={acts} />}
    </QueryView>
  );
};

/** One payment, by the id of its invoice. */
const PaymentPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-payment', pageTitle: shellText('payments'), pageDescription: '' });
  const id = useSearchParams()[0].get('id') ?? '';
  return (
    <>
      <p className="back-link">
        <Link to={paths.adminPayments}>{paymentText('toPayments')}</Link>
      </p>
      {INVOICE_ID.test(id) ? <Payment invoiceId={id} /> : <Missing />}
    </>
  );
};

export default PaymentPage;
