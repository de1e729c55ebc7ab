// Which states of a customer at Stripe need an operator: a dispute while it is open and once it is lost, and a refund that the bank
// returned. Each is raised once, however often the state is read.
import { LOCALE } from '@shortlist/contracts/messages';
import { isClosed } from '../disputes/dispute.rules.ts';
import { alertText } from '../messages.ts';
import type { CustomerSnapshot, DisputeSnapshot } from '../stripe/snapshot.ts';
import type { NewAlert } from '../alerts/raise-alert.ts';

const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });

const disputeDetail = ({ reason: code, evidenceDueAt }: DisputeSnapshot): string => {
  const reason = code.replaceAll('_', ' ');
  return evidenceDueAt === null
    ? alertText('disputeReason', { reason })
    : alertText('disputeReasonDue', { reason, day: day.format(evidenceDueAt) });
};

const ofDispute = (dispute: DisputeSnapshot, userId: string): NewAlert[] => {
  const { id: objectId, amount, currency } = dispute;
  const alert = { objectId, userId, amount, currency };
  if (dispute.status === 'lost') return [{ ...alert, kind: 'dispute_lost' }];
  return isClosed(dispute) ? [] : [{ ...alert, kind: 'dispute_opened', detail: disputeDetail(dispute) }];
};

export const alertsOf = ({ disputes, invoices }: CustomerSnapshot, userId: string): NewAlert[] => [
  ...disputes.flatMap((dispute) => ofDispute(dispute, userId)),
  ...invoices.flatMap(({ currency, failedRefunds }) =>
    failedRefunds.map(({ id: objectId, amount }): NewAlert => ({
      ...{ kind: 'refund_failed', objectId, userId, amount, currency },
    })),
  ),
];
