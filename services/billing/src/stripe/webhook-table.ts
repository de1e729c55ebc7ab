/**
 * The events that can change a plan or what was paid. Each leads to the same deed: read the customer anew. What is not in
 * this list is stored and left alone.
 */
export const PLAN_EVENTS: ReadonlySet<string> = new Set([
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
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
]);
