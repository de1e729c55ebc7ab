import { auditLogEntity, chainEntity } from '@shortlist/audit/queries';
import { AUDIT_RIGHTS, auditKinds, auditOrder, auditTimes } from '@shortlist/audit/tables';
import { deletionsToRepeat } from '@shortlist/kit/data/deletions-to-repeat';
import { requestCounts } from '@shortlist/kit/data/request-counts';
import { endedRights } from '@shortlist/kit/data/rights';
import { alertEntity } from './alerts/queries.ts';
import { disputeEntity, disputeTransactionEntity } from './records/dispute-queries.ts';
import { checkoutIntentEntity } from './subscriptions/checkout-intent-queries.ts';
import { invoiceEntity } from './records/invoice-queries.ts';
import {
  alertNotes,
  bookedPayments,
  cardOnFile,
  cardWarnings,
  creditPacks,
  datedPayments,
  failedRefunds,
  includedEvents,
  initial,
  invoiceReferences,
  nextAttempts,
  renewalEnds,
  revenueMovements,
  revokedPlans,
  systemScreen,
  sumsOfPayments,
  sumsOfThreeHours,
  trials,
  yearlyPlans,
} from './migrations.ts';
import { packEntity } from './packs/queries.ts';
import { payoutEntity } from './records/payout-queries.ts';
import { cohortEntity, movementEntity, revenueSumEntity } from './revenue/movement-queries.ts';
import { refundEntity } from './records/refund-queries.ts';
import { trialEntity } from './trials/queries.ts';
import { subscriberEntity } from './subscriptions/queries.ts';
import { subscriptionEntity } from './records/subscription-queries.ts';
import { stripeEventEntity } from './records/event-queries.ts';
import { cursorEntity, reconciliationEntity } from './reconcile/queries.ts';

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
    packEntity,
    checkoutIntentEntity,
    trialEntity,
    stripeEventEntity,
    cursorEntity,
    reconciliationEntity,
    movementEntity,
    revenueSumEntity,
    cohortEntity,
  ],
  migrations: [
    initial,
    revokedPlans,
    failedRefunds,
    bookedPayments,
    alertNotes,
    cardWarnings,
    creditPacks,
    endedRights,
    renewalEnds,
    cardOnFile,
    invoiceReferences,
    includedEvents,
    deletionsToRepeat,
    datedPayments,
    revenueMovements,
    auditTimes,
    systemScreen,
    auditKinds,
    nextAttempts,
    yearlyPlans,
    trials,
    sumsOfThreeHours,
    sumsOfPayments,
    requestCounts,
    auditOrder,
  ],
  rights: AUDIT_RIGHTS,
};
