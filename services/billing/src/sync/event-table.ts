import type { EventAction } from './event-action.ts';
import { raiseFinalizationFailure } from './raise-finalization-failure.ts';
import { raiseFraudWarning } from './raise-fraud-warning.ts';
import { recordPayout } from './record-payout.ts';
import { refreshCustomer } from './refresh-customer.ts';

/**
 * Stripe's event types and what each causes. The table is the allow list: an event of any other type is stored and ignored. An
 * action other than the refresh (a mail, an alert) is a file of its own beside this one, named in the lines of its types.
 */
export const EVENT_TABLE: Readonly<Record<string, readonly EventAction[]>> = {
  'checkout.session.completed': [refreshCustomer],
  'checkout.session.async_payment_succeeded': [refreshCustomer],
  'checkout.session.async_payment_failed': [refreshCustomer],
  'checkout.session.expired': [refreshCustomer],
  'customer.subscription.created': [refreshCustomer],
  'customer.subscription.updated': [refreshCustomer],
  'customer.subscription.deleted': [refreshCustomer],
  'customer.subscription.paused': [refreshCustomer],
  'customer.subscription.resumed': [refreshCustomer],
  'invoice.paid': [refreshCustomer],
  'invoice.payment_failed': [refreshCustomer],
  'invoice.payment_action_required': [refreshCustomer],
  'invoice.finalization_failed': [raiseFinalizationFailure],
  'invoice.voided': [refreshCustomer],
  'invoice.marked_uncollectible': [refreshCustomer],
  'charge.dispute.created': [refreshCustomer],
  'charge.dispute.updated': [refreshCustomer],
  'charge.dispute.closed': [refreshCustomer],
  'charge.dispute.funds_withdrawn': [refreshCustomer],
  'charge.dispute.funds_reinstated': [refreshCustomer],
  'radar.early_fraud_warning.created': [raiseFraudWarning],
  'radar.early_fraud_warning.updated': [raiseFraudWarning],
  'charge.updated': [refreshCustomer],
  'payout.created': [recordPayout],
  'payout.updated': [recordPayout],
  'payout.paid': [recordPayout],
  'payout.failed': [recordPayout],
  'payout.canceled': [recordPayout],
  'charge.refunded': [refreshCustomer],
  'refund.created': [refreshCustomer],
  'refund.updated': [refreshCustomer],
  'refund.failed': [refreshCustomer],
};

export const isHandled = (type: string): boolean => Object.hasOwn(EVENT_TABLE, type);

/** Whether one refresh of the customer does all that an event of this type causes. */
export const isRefreshOnly = (type: string): boolean =>
  isHandled(type) && (EVENT_TABLE[type] ?? []).every((action) => action === refreshCustomer);
