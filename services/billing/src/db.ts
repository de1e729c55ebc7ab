import { auditLogEntity } from '@shortlist/audit/audit-log.entity';
import { chainEntity } from '@shortlist/audit/chain.entity';
import { AUDIT_RIGHTS } from '@shortlist/audit/tables';
import { alertEntity } from './alerts/alert.entity.ts';
import { disputeTransactionEntity } from './disputes/dispute-transaction.entity.ts';
import { disputeEntity } from './disputes/dispute.entity.ts';
import { checkoutIntentEntity } from './intents/checkout-intent.entity.ts';
import { invoiceEntity } from './invoices/invoice.entity.ts';
import { refundEntity } from './invoices/refund.entity.ts';
import { initial } from './migrations/0001-initial.ts';
import { records } from './migrations/0002-records.ts';
import { emailVersion } from './migrations/0003-email-version.ts';
import { lateEvents } from './migrations/0004-late-events.ts';
import { redactedEntries } from './migrations/0005-redacted-entries.ts';
import { auditChain } from './migrations/0006-audit-chain.ts';
import { payoutEntity } from './payouts/payout.entity.ts';
import { subscriberEntity } from './subscriptions/subscriber.entity.ts';
import { subscriptionEntity } from './history/subscription.entity.ts';
import { cursorEntity } from './sync/cursor.entity.ts';
import { stripeEventEntity } from './sync/stripe-event.entity.ts';

export const schema = {
  entities: [
    auditLogEntity,
    chainEntity,
    subscriberEntity,
    invoiceEntity,
    refundEntity,
    subscriptionEntity,
    payoutEntity,
    disputeEntity,
    disputeTransactionEntity,
    alertEntity,
    checkoutIntentEntity,
    stripeEventEntity,
    cursorEntity,
  ],
  migrations: [initial, records, emailVersion, lateEvents, redactedEntries, auditChain],
  rights: AUDIT_RIGHTS,
};
