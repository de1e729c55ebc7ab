/**
 * Stripe's event types whose only effect is a refresh of their customer. `charge.updated`, which tells that a payment has reached the balance, is
 * not among them: reconciliation reads the fees of many payments in one call.
 */
export const REFRESHING = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
] as const;

const refreshing = new Set<string>(REFRESHING);

export const isRefreshOnly = (type: string): boolean => refreshing.has(type);

/** After these, a checkout session can no longer be paid. */
export const endsCheckout = (type: string): boolean =>
  type === 'checkout.session.completed' || type === 'checkout.session.expired';
