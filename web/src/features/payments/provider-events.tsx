import type { PaymentDetail } from '@shortlist/contracts/api/payments';
import type { ReactNode } from 'react';
import { tableTime } from '../../lib/dates.ts';
import { paymentText } from '../../messages/payments.ts';
import { Panel } from '../../ui/panel.tsx';

const HEADS = [paymentText('event'), paymentText('cameIn'), paymentText('eventState')] as const;

/** The events of the provider about a payment, the newest first. */
export const ProviderEvents = ({ payment: { events = [] } }: { payment: PaymentDetail }): ReactNode =>
  events.length === 0 ? null : (
    <Panel title={paymentText('events')} note={paymentText('eventsNote')} isBare>
      <table className="data-table is-stacked is-brief" aria-label={paymentText('events')}>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map(({ eventId, type, state, receivedAt }) => (
            <tr key={eventId}>
              <td className="data-table-name">
                <span dir="ltr">{type}</span>
                <small className="data-table-note" dir="ltr">
                  {eventId}
                </small>
              </td>
              <td data-label={HEADS[1]} className="num">
                <time dateTime={receivedAt}>{tableTime(receivedAt)}</time>
              </td>
              <td data-label={HEADS[2]}>{paymentText(`event_${state}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
