import type { Guards } from './guard.ts';

/** The guards of payments, plans and events. */
export const MONEY_GUARDS: Guards = {
  'F1 only the provider can report payments': {
    file: 'services/billing/src/stripe/stripe-event.ts',
    guard:
      'return stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS, undefined, receivedAt);',
    without: 'return JSON.parse(body.toString()) as unknown;',
    tests: 'services/billing/test/webhook-intake.test.ts',
  },
  'F3 a repeated delivery is one event': {
    file: 'services/billing/src/migrations.ts',
    guard: 'event_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,',
    without: 'event_id VARCHAR(64) ${KEY} NOT NULL,',
    tests: 'services/billing/test/webhook-intake.test.ts',
  },
  'F7 a checkout session paid by another user grants nothing': {
    file: 'services/billing/src/checkout/confirm-checkout.ts',
    guard: 'session !== null && session.userId === userId && session.customerId === subscriber?.customerId;',
    without: 'session !== null && subscriber !== null;',
    tests: 'services/billing/test/checkout.test.ts',
  },
  'F7 an unpaid session grants nothing': {
    file: 'services/billing/src/checkout/confirm-checkout.ts',
    guard:
      "throw createError(problem?.kind === 'processing' ? 'billing.payment_processing' : 'billing.not_paid');",
    tests: 'services/billing/test/payment-problem.test.ts > a bank debit',
  },
  'F13 a pack is confirmed to its payer alone': {
    file: 'services/billing/src/checkout/confirm-checkout.ts',
    guard: "const session = await getSession(parts, { ...checkout, kind: 'pack' });",
    without: 'const session = (await parts.stripe.findCheckout(checkout.sessionId)) as CheckoutState;',
    tests: 'services/billing/test/packs.test.ts > to its payer alone',
  },
  'F13 an unpaid pack has no credits': {
    file: 'services/billing/src/packs/record-packs.ts',
    guard: "invoice.status === 'paid' && ",
    tests: 'services/billing/test/packs.test.ts > while its invoice is open',
  },
  'F14 a disputed pack has no credits': {
    file: 'services/billing/src/packs/pack.rules.ts',
    guard: "return { paidCredits: 0, state: 'disputed' };",
    without: 'void 0;',
    tests: 'services/billing/src/packs/pack.rules.test.ts',
  },
  'F15 the page of a pack stays open when an admin grants a plan': {
    file: 'services/billing/src/plans/grant-plan.ts',
    guard: "await expireCheckouts(parts, subscriber, ['plan']);\n    await endPaid(parts, subscriber);",
    without: 'await expireCheckouts(parts, subscriber);\n    await endPaid(parts, subscriber);',
    tests: 'services/billing/test/packs-beside-plans.test.ts > stays for sale on its page',
  },
  'a pack that is paid after the deletion of its user is refunded': {
    file: 'services/billing/src/refresh/settle-customer.ts',
    guard: '[...invoices, ...packs].filter(isRetained)',
    without: 'invoices.filter(isRetained)',
    tests: 'services/billing/test/pack-records.test.ts > gives back a pack',
  },
  'a payment page that is open when its user is deleted can no longer be paid': {
    file: 'services/billing/src/refresh/settle-customer.ts',
    guard: 'await expireCheckouts(parts, { userId, customerId });',
    without: 'true;',
    tests: 'services/billing/test/deleted-user.test.ts > the deletion of a user',
  },
  'a payment that arrives for a deleted user is refunded before it is recorded': {
    file: 'services/billing/src/refresh/settle-customer.ts',
    guard: 'await stripe.refundInvoice(invoiceId);',
    without: 'null as string | null;',
    tests: 'services/billing/test/deleted-user.test.ts > a payment of a deleted user',
  },
  'a payment that was read while its user was being deleted is refunded before it is recorded': {
    file: 'services/billing/src/refresh/refresh-subscriber.ts',
    guard: 'if (current?.deletedAt?.getTime() !== subscriber.deletedAt?.getTime()) return null;',
    tests: 'services/billing/test/deleted-user.test.ts > read from Stripe during the deletion',
  },
  'a payment whose rows are gone is found before another is sold': {
    file: 'services/billing/src/checkout/ensure-customer.ts',
    guard: "await refreshWithLease(parts, lease, { by: 'checkout', reason: 'customer found at Stripe' });",
    tests: 'services/billing/test/lost-rows.test.ts > when the user wants to buy again',
  },
  'a payment whose rows are gone is found by reconciliation': {
    file: 'services/billing/src/reconcile/reconcile-subscriptions.ts',
    guard: 'await adopt(run, subscription);',
    tests: 'services/billing/test/lost-rows.test.ts > by reconciliation',
  },
  'a lost payment is not given to a user who has another customer': {
    file: 'services/billing/src/refresh/adopt-customer.ts',
    guard: 'return subscriber.customerId === customerId;',
    without: 'return true;',
    tests: 'services/billing/test/lost-rows.test.ts > who has another customer',
  },
  'a subscription that awaits its first payment cannot be paid beside a new one': {
    file: 'services/billing/src/checkout/sales.ts',
    guard: 'await endAbandoned(parts.stripe, subscriber);',
    tests: 'services/billing/test/payment-problem.test.ts > that the bank returns',
  },
  'F9 a customer whose rows are gone is found before another is created': {
    file: 'services/billing/src/checkout/ensure-customer.ts',
    guard: 'await parts.stripe.findCustomer(subscriber);',
    without: 'null as string | null;',
    tests: 'services/billing/test/lost-rows.test.ts',
  },
  'a change of policy gives back no payment that is recorded': {
    file: 'services/billing/src/refresh/refresh-subscriber.ts',
    guard: 'return found.filter(({ id }) => !recorded.has(id));',
    without: 'return found;',
    tests: 'services/billing/test/late-payments.test.ts > that was recorded under one policy',
  },
  'ending a plan at once ends everything that was paid until then': {
    file: 'services/billing/src/plans/grant-plan.ts',
    guard: 'await updateSubscriber(db.manager, userId, { revokedAt });',
    tests: 'services/billing/test/late-payments.test.ts > unsubscribing now',
  },
  'a grant closes the page on which the user could pay for the same time': {
    file: 'services/billing/src/plans/grant-plan.ts',
    guard: "if ((await findOpenIntent(db.manager, userId, 'plan')) !== null) {",
    without: 'if (Date.now() < 0) {',
    tests: 'services/billing/test/late-payments.test.ts > a grant',
  },
  'the open invoice of an ended subscription is voided': {
    file: 'services/billing/src/refresh/settle-customer.ts',
    guard: 'await stripe.voidInvoice(id);',
    tests: 'services/billing/test/late-payments.test.ts > is voided',
  },
  'F5 a paid invoice without a sale grants no premium': {
    file: 'services/billing/src/stripe/from-stripe.ts',
    guard: ' || grossAmount(lines) <= 0',
    tests: 'services/billing/src/stripe/from-stripe.test.ts',
  },
  'F4 a holder whose lease has expired does not overwrite a newer snapshot': {
    file: 'services/billing/src/refresh/refresh-subscriber.ts',
    guard: "if (!(await ownsLease(tx, lease))) throw createError('billing.busy');",
    tests: 'services/billing/test/lease.test.ts',
  },
  'F8 a checkout whose lease has expired does not overwrite a newer customer id': {
    file: 'services/billing/src/subscriptions/queries.ts',
    guard: '.update({ userId, leaseOwner: owner }, { customerKey, customerId });',
    without: '.update({ userId }, { customerKey, customerId });',
    tests: 'services/billing/test/checkout-again.test.ts',
  },
  'F10 a payment after the end of a subscription counts': {
    file: 'services/billing/src/subscriptions/subscription.rules.ts',
    guard: ' || (endedAt !== null && paidAt > endedAt)',
    tests: 'services/billing/test/renewal.test.ts',
  },
  "V6 an older plan state changes nothing in profile's copy": {
    file: 'services/profile/src/profiles/queries.ts',
    guard: 'IF(plan_version < ?, ?, premium_until)',
    without: 'IF(? IS NULL, premium_until, ?)',
    tests: 'services/profile/test/profiles.test.ts',
  },
  'F10 a lost dispute ends the plan': {
    file: 'services/billing/src/subscriptions/subscription.rules.ts',
    guard: 'invoiceId === id && LOST.has(status)',
    without: 'false && invoiceId === id && LOST.has(status)',
    tests: 'services/billing/test/disputes.test.ts > that is lost',
  },
  'a fee that is not known yet is not 0': {
    file: 'services/billing/src/stripe/from-stripe.ts',
    guard: 'if (first === undefined || known.length < transactions.length) return null;',
    without: 'if (first === undefined) return null;',
    tests: 'services/billing/src/stripe/from-stripe.test.ts',
  },
  'an object at Stripe raises one alert, however often it is read': {
    file: 'services/billing/src/alerts/raise-alert.ts',
    guard: 'if (!(await insertAlert(tx, { alertId, kind, ...columns, raisedAt: clock() }))) return false;',
    without: 'await insertAlert(tx, { alertId, kind, ...columns, raisedAt: clock() });',
    tests: 'services/billing/test/alerts.test.ts',
  },
  'H4 a redelivered event has no second effect': {
    file: 'services/kit/src/messaging/inbox.ts',
    guard: 'await insertRows(tx, [[consumer, event.id, clock()]]);',
    tests: 'services/kit/test/consumer.test.ts > H4',
  },
  'H1 a change that is rolled back publishes no event': {
    file: 'services/kit/src/messaging/outbox.ts',
    guard: "await change(tx, {\n    sql: 'INSERT INTO outbox",
    without: "await change(tx.dataSource, {\n    sql: 'INSERT INTO outbox",
    tests: 'services/kit/test/outbox.test.ts',
  },
  'H8 a message of a reassigned partition is not dead-lettered by the previous owner': {
    file: 'services/kit/src/messaging/consumer.ts',
    guard: 'if (error instanceof PartitionLost) throw error;',
    tests: 'services/kit/test/consumer.test.ts > H8',
  },
  'H5 an effect that never ends does not block its partition': {
    file: 'services/kit/src/messaging/consumer.ts',
    guard: 'withTimeout(handler.handle(event), effectTimeoutMs, timedOut)',
    without: 'handler.handle(event)',
    tests: 'services/kit/test/consumer.test.ts > never ends',
  },
  'H9 a consumer that crashes rejoins its group': {
    file: 'services/kit/src/messaging/kafka-consumer.ts',
    guard: 'void (isCurrent() && rejoin());',
    without: 'undefined;',
    tests: 'services/kit/test/rebalance.test.ts > H9 a member that crashes',
  },
  'H9 a consumer that hangs is replaced': {
    file: 'services/kit/src/messaging/kafka-consumer.ts',
    guard: "log.error({ group }, 'consumer inactive; rejoining');",
    without: 'return;',
    tests: 'services/kit/test/rebalance.test.ts > H9 a member whose message never ends',
  },
};
