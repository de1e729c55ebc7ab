import type { PaymentDetail } from '@shortlist/contracts/api/payments';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useConfig } from '../../lib/data/use-config.ts';
import { money, signedMoney } from '../../lib/money.ts';
import { paths, providerPage } from '../../lib/paths.ts';
import { paymentText } from '../../messages/payments.ts';
import { ExternalLink } from '../../ui/inline.tsx';
import { Details, Panel } from '../../ui/panel.tsx';
import { lessMoney, payerName } from './payment-texts.ts';

type PaymentProps = { payment: PaymentDetail };
type Money = { amount: number; currency: string };

/** What remains of a payment after all that was taken from it; null while a part is unknown, or in another currency. */
const netOf = ({ state, amount, currency, refunded, fee, disputes }: PaymentDetail): number | null => {
  const moved: (Money | null)[] = disputes.flatMap((dispute) => [dispute.withdrawn, dispute.fee]);
  const parts = moved.filter((part) => part !== null);
  const isPaid = ['paid', 'partly_refunded', 'refunded', 'disputed'].includes(state);
  if (!isPaid || fee === null || [fee, ...parts].some((part) => part.currency !== currency)) return null;
  return [fee, ...parts].reduce((net, part) => net - part.amount, amount - refunded);
};

const disputeRows = ({ disputes }: PaymentDetail): (readonly [string, ReactNode])[] =>
  disputes.flatMap(({ withdrawn, fee }) => [
    ...(withdrawn === null
      ? []
      : [[paymentText('disputedAmount'), lessMoney(withdrawn.amount, withdrawn.currency)] as const]),
    ...(fee === null ? [] : [[paymentText('disputeFee'), lessMoney(fee.amount, fee.currency)] as const]),
  ]);

/** What was charged, and what was taken from it. A fee that is not known is not 0. */
export const AmountsPanel = ({ payment }: PaymentProps): ReactNode => {
  const { amount, currency, tax, discount, fee, refunded, paidAt } = payment;
  const net = netOf(payment);
  const rows: (readonly [string, ReactNode])[] = [
    [paymentText(paidAt === null ? 'due' : 'charged'), money(amount, currency)],
    [paymentText('tax'), money(tax, currency)],
    ...(discount === 0 ? [] : [[paymentText('discount'), lessMoney(discount, currency)] as const]),
    ...(paidAt === null
      ? []
      : [
          [
            paymentText('providerFee'),
            fee === null ? paymentText('unknown') : lessMoney(fee.amount, fee.currency),
          ] as const,
          [paymentText('returned'), lessMoney(refunded, currency)] as const,
        ]),
    ...disputeRows(payment),
    ...(net === null ? [] : [[paymentText('net'), signedMoney(net, currency)] as const]),
  ];
  return (
    <Panel title={paymentText('amounts')}>
      <Details rows={rows} />
    </Panel>
  );
};

/** Whose payment it is, and where it stands at the provider. */
export const PaymentDetailsPanel = ({ payment }: PaymentProps): ReactNode => {
  const { links } = useConfig();
  const { invoiceId, number, invoiceUrl, customerId, chargeId, user } = payment;
  const rows: (readonly [string, ReactNode])[] = [
    [
      paymentText('person'),
      user.name === '' ? (
        payerName(payment)
      ) : (
        <Link className="is-inline-link" to={paths.editUser(user.id)}>
          {user.name}
        </Link>
      ),
    ],
    [
      paymentText('invoice'),
      invoiceUrl === null ? (
        (number ?? invoiceId)
      ) : (
        <ExternalLink className="is-inline-link" href={invoiceUrl}>
          {number ?? invoiceId}
        </ExternalLink>
      ),
    ],
    [paymentText('customer'), customerId ?? paymentText('noCustomer')],
    [paymentText('charge'), chargeId ?? paymentText('noCustomer')],
    [
      paymentText('provider'),
      <ExternalLink
        key="provider"
        className="is-inline-link"
        href={providerPage(links.provider, 'invoices', invoiceId)}
      >
        {paymentText('openAtProvider')}
      </ExternalLink>,
    ],
  ];
  return (
    <Panel title={paymentText('details')}>
      <Details rows={rows} />
    </Panel>
  );
};
