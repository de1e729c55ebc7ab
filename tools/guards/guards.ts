/** A few lines that keep money, credits or people safe, and the tests that must notice when they are gone. */
export type Guard = {
  name: string;
  protects: string;
  file: string;
  /** The exact text of the guard; it occurs once in its file. */
  guard: string;
  /** What stands there when the guard is taken away. */
  without: string;
  tests: readonly string[];
  /** Part of the titles of the tests to run, where the whole file would take long. */
  titles?: string;
};

const MONEY: readonly Guard[] = [
  {
    name: 'stripe-signature',
    protects: 'F1 only the provider tells of payments',
    file: 'services/billing/src/stripe/signature.ts',
    guard: "throw coded('billing.signature_refused');",
    without: 'return JSON.parse(body.toString()) as Stripe.Event;',
    tests: ['services/billing/test/webhook-intake.test.ts'],
  },
  {
    name: 'stripe-inbox-key',
    protects: 'F3 a repeated delivery is one event',
    file: 'services/billing/src/migrations/0001-initial.ts',
    guard: 'event_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,',
    without: 'event_id VARCHAR(64) ${KEY} NOT NULL,',
    tests: ['services/billing/test/webhook-intake.test.ts'],
  },
  {
    name: 'checkout-owner',
    protects: 'F7 nobody is made premium by what somebody else paid',
    file: 'services/billing/src/checkout/confirm-checkout.ts',
    guard: 'session !== null && session.userId === userId && session.customerId === subscriber?.customerId;',
    without: 'session !== null && subscriber !== null;',
    tests: ['services/billing/test/checkout.test.ts'],
  },
  {
    name: 'checkout-paid',
    protects: 'F7 an unpaid session grants nothing',
    file: 'services/billing/src/checkout/confirm-checkout.ts',
    guard: "if (session.status !== 'complete' || !session.paid) throw coded('billing.not_paid');",
    without: '',
    tests: ['services/billing/test/checkout.test.ts'],
  },
  {
    name: 'checkout-key',
    protects: 'F9 the key is stored before the provider is asked, so a lost answer makes no second customer',
    file: 'services/billing/src/checkout/ensure-customer.ts',
    guard: 'if (!askedBefore) await write(parts, holding, { customerKey, customerId: null });',
    without: '',
    tests: ['services/billing/test/checkout.test.ts'],
    titles: 'F9',
  },
  {
    name: 'trial-invoice',
    protects: 'F5 an invoice that sold nothing makes nobody premium, though it is marked as paid',
    file: 'services/billing/src/stripe/from-stripe.ts',
    guard: ' || soldFor(invoice) <= 0',
    without: '',
    tests: ['services/billing/src/stripe/from-stripe.test.ts'],
  },
  {
    name: 'lease-owner',
    protects: 'F4 who was away for longer than its lease does not overwrite a newer reading',
    file: 'services/billing/src/subscriptions/refresh-subscriber.ts',
    guard: "if (!(await holdsLease(tx, userId, holder))) throw coded('billing.busy');",
    without: '',
    tests: ['services/billing/test/lease.test.ts'],
  },
  {
    name: 'checkout-lease',
    protects: 'F8 a checkout that was overtaken takes nobody’s customer away',
    file: 'services/billing/src/subscriptions/queries.ts',
    guard:
      "customer_id = ? WHERE user_id = ? AND lease_owner = ?',\n    [customerKey, customerId, userId, holder],",
    without: "customer_id = ? WHERE user_id = ?',\n    [customerKey, customerId, userId],",
    tests: ['services/billing/test/checkout-again.test.ts'],
  },
  {
    name: 'paid-after-the-end',
    protects: 'F10 what is paid after the subscription has ended counts',
    file: 'services/billing/src/subscriptions/subscription.rules.ts',
    guard: ' || (paidAt !== null && paidAt > endedAt)',
    without: '',
    tests: ['services/billing/test/renewal.test.ts'],
  },
];

const CREDITS: readonly Guard[] = [
  {
    name: 'invoice-key',
    protects: 'V2 one window for each paid invoice',
    file: 'services/credits/src/migrations/0001-initial.ts',
    guard: 'UNIQUE KEY windows_source (user_id, source_key),',
    without: 'KEY windows_source (user_id, source_key),',
    tests: ['services/credits/test/plan-facts.test.ts', 'services/credits/test/windows.test.ts'],
  },
  {
    name: 'spend-condition',
    protects: 'G1 nobody spends more than the limit',
    file: 'services/credits/src/windows/queries.ts',
    guard: 'AND w.used < w.credit_limit AND w.ends_at > ?',
    without: 'AND w.ends_at > ?',
    tests: ['services/credits/test/spending.test.ts'],
  },
  {
    name: 'operation-id',
    protects: 'G2 the same operation is charged once',
    file: 'services/credits/src/migrations/0001-initial.ts',
    guard: 'UNIQUE KEY ledger_operation (user_id, operation_id),',
    without: 'KEY ledger_operation (user_id, operation_id),',
    tests: ['services/credits/test/spending.test.ts'],
  },
  {
    name: 'own-operation-id',
    protects: 'G3 nobody takes the id under which a credit comes back',
    file: 'services/credits/src/charges/operation-id.ts',
    guard: '=> ` ${name}`;',
    without: '=> name;',
    tests: ['services/credits/test/reservations.test.ts'],
    titles: 'G3',
  },
  {
    name: 'held-contact',
    protects: 'G3 a contact is not had for nothing while a hold on it may come back',
    file: 'services/credits/src/charges/contacts.ts',
    guard: "r.id IS NULL OR r.state = 'committed' AS hasPaid",
    without: '1 AS hasPaid',
    tests: ['services/credits/test/contacts.test.ts'],
    titles: 'G3',
  },
  {
    name: 'hold-key',
    protects: "G2 a spend under a hold's key is not answered by what may come back",
    file: 'services/credits/src/charges/spend-once.ts',
    guard:
      "if (!hold && (await findReservationOf(db.manager, userId, spend.operationId)) !== null)\n    throw coded('credits.key_reused');",
    without: '',
    tests: ['services/credits/test/reservations.test.ts'],
    titles: 'G2',
  },
  {
    name: 'plan-version-credits',
    protects: 'V6 an older plan state changes nothing in credits',
    file: 'services/credits/src/plans/queries.ts',
    guard: 'WHERE user_id = ? AND plan_version < ?',
    without: 'WHERE user_id = ? AND ? IS NOT NULL',
    tests: ['services/credits/test/plan-facts.test.ts'],
  },
  {
    name: 'plan-version-profile',
    protects: "V6 an older plan state changes nothing in profile's copy",
    file: 'services/profile/src/plans/queries.ts',
    guard: 'IF(plan_version < ?, ?, premium_until)',
    without: 'IF(? IS NULL, premium_until, ?)',
    tests: ['services/profile/test/profiles.test.ts'],
  },
];

const EVENTS: readonly Guard[] = [
  {
    name: 'inbox',
    protects: 'H4 a fact that comes again has no second effect',
    file: 'services/kit/src/messaging/inbox.ts',
    guard: "'INSERT INTO inbox (consumer, event_id, handled_at) VALUES (?, ?, ?)'",
    without: "'SELECT ?, ?, ?'",
    tests: ['services/kit/test/consumer.test.ts'],
  },
  {
    name: 'outbox-in-transaction',
    protects: 'H1 a change that is rolled back is told to nobody',
    file: 'services/kit/src/messaging/outbox.ts',
    guard: "await tx.query(\n    'INSERT INTO outbox",
    without: "await tx.dataSource.query(\n    'INSERT INTO outbox",
    tests: ['services/kit/test/outbox.test.ts'],
  },
  {
    name: 'partition-lost',
    protects: 'H8 what the next owner of a partition hears is not parked by the last one',
    file: 'services/kit/src/messaging/consumer.ts',
    guard: 'if (error instanceof PartitionLost) throw error;',
    without: '',
    tests: ['services/kit/test/consumer.test.ts'],
    titles: 'H8',
  },
  {
    name: 'effect-limit',
    protects: 'H5 an effect that never ends holds nobody up',
    file: 'services/kit/src/messaging/consumer.ts',
    guard: 'inTime(hearing.hear(fact), effectLimitMs)',
    without: 'hearing.hear(fact)',
    tests: ['services/kit/test/consumer.test.ts'],
    titles: 'never ends',
  },
  {
    name: 'crashed-member',
    protects: 'H9 a consumer that died comes back',
    file: 'services/kit/src/messaging/kafka-consumer.ts',
    guard: 'void (isCurrent() && beginAgain());',
    without: 'undefined;',
    tests: ['services/kit/test/rebalance.test.ts'],
    titles: 'dies of an error',
  },
  {
    name: 'silent-member',
    protects: 'H9 a consumer that hangs is replaced',
    file: 'services/kit/src/messaging/kafka-consumer.ts',
    guard: "log.error({ group }, 'heard nothing from the group: joining it anew');",
    without: 'return;',
    tests: ['services/kit/test/rebalance.test.ts'],
    titles: 'never ends',
  },
];

const ENDPOINTS: readonly Guard[] = [
  {
    name: 'xsrf',
    protects: "C1 another site's page changes nothing",
    file: 'bff/src/session/xsrf.ts',
    guard: "if (isForeign(request) || isForm || !fromUs) throw coded('request.cross_site');",
    without: '',
    tests: ['bff/test/cross-site.test.ts'],
  },
  {
    name: 'xsrf-session',
    protects: "C1 another session's token is no good for this one",
    file: 'bff/src/session/xsrf.ts',
    guard: 'return repeats && (session === null || sessionsOf(request).includes(nameOf(session)));',
    without: 'return repeats;',
    tests: ['bff/test/cross-site.test.ts'],
  },
  {
    name: 'refused-body',
    protects: 'E2 a body that is refused is not read to its end',
    file: 'services/kit/src/http/end-unread.ts',
    guard: 'if (left < 0 && response.writableFinished) end();',
    without: '',
    tests: ['bff/test/uploads.test.ts'],
  },
  {
    name: 'service-token-audience',
    protects: 'B8 a token for one service opens no other',
    file: 'services/kit/src/http/service-token.ts',
    guard: '        audience,\n        issuer: ISSUER,',
    without: '        issuer: ISSUER,',
    tests: ['services/kit/test/router.test.ts'],
  },
];

const PEOPLE: readonly Guard[] = [
  {
    name: 'unheard-person',
    protects: 'I1 a mail waits for a person of whom profile has not heard yet',
    file: 'services/worker/src/mail/send-mail.ts',
    guard:
      "if (recipient === undefined && isNew) return putOff(parts, mail, 'profile does not know the person yet');",
    without: '',
    tests: ['services/worker/test/mails.test.ts'],
  },
  {
    name: 'overtaken-sender',
    protects: 'I1 a sender or a sweep that was overtaken does not free a mail again',
    file: 'services/worker/src/mail/queries.ts',
    guard:
      "AND status = 'sending' AND attempts = ?`,\n    [status, uncertain ?? false, error?.slice(0, 500) ?? null, id, attempts],",
    without: '`,\n    [status, uncertain ?? false, error?.slice(0, 500) ?? null, id],',
    tests: ['services/worker/test/mails.test.ts'],
  },
  {
    name: 'forgotten-words',
    protects: 'a deleted person’s own words leave the audit log',
    file: 'services/profile/src/profiles/delete-profile.ts',
    guard: 'await forgetInNotes(tx, id);',
    without: '',
    tests: ['services/profile/test/profiles.test.ts'],
  },
  {
    name: 'plan-in-words',
    protects: 'V6 a search by word sees a plan that changed',
    file: 'services/profile/src/plans/keep-plan.ts',
    guard: 'return copyPlanToTerms(tx, userId);',
    without: 'return;',
    tests: ['services/profile/test/directory.test.ts'],
  },
  {
    name: 'picture-frames',
    protects: 'E2 an animation of thousands of frames is refused before it is decoded',
    file: 'services/profile/src/pictures/picture.rules.ts',
    guard: 'if (!FORMATS.has(format) || pages > MAX_FRAMES) return false;',
    without: 'if (!FORMATS.has(format)) return false;',
    tests: ['services/profile/test/pictures.test.ts'],
  },
  {
    name: 'unpublished-facts',
    protects: 'H1 a fact that was not published is never pruned',
    file: 'services/kit/src/messaging/pruning.ts',
    guard: 'DELETE FROM outbox WHERE published_at < ? ORDER BY published_at LIMIT ?',
    without: 'DELETE FROM outbox WHERE created_at < ? ORDER BY id LIMIT ?',
    tests: ['services/kit/test/pruning.test.ts'],
  },
];

export const GUARDS: readonly Guard[] = [...MONEY, ...CREDITS, ...EVENTS, ...ENDPOINTS, ...PEOPLE];

/** The source without its guard, or null when the guard's text does not occur in it exactly once. */
export const withoutGuard = (source: string, { guard, without }: Guard): string | null => {
  const [before, after, ...more] = source.split(guard);
  return before === undefined || after === undefined || more.length > 0 ? null : before + without + after;
};
