import type { Guards } from './guard.ts';

/** The guards of charges, buckets and windows of credits. */
export const CREDIT_GUARDS: Guards = {
  'V2 one window for each paid invoice': {
    file: 'services/credits/src/migrations.ts',
    guard: 'UNIQUE KEY windows_source (user_id, source_key),',
    without: 'KEY windows_source (user_id, source_key),',
    tests: 'services/credits/test/plan-events.test.ts',
  },
  'G1 no user spends more credits than the limit': {
    file: 'services/credits/src/windows/queries.ts',
    guard: 'AND w.used + ? <= w.credit_limit AND w.ends_at > ?',
    without: 'AND ? > 0 AND w.ends_at > ?',
    tests: 'services/credits/test/charging.test.ts',
  },
  'G1 a charge of several credits takes all of them or nothing': {
    file: 'services/credits/src/windows/queries.ts',
    guard: 'w.used + ? <= w.credit_limit',
    without: 'w.used + 0 * ? < w.credit_limit',
    tests: 'services/credits/test/amounts.test.ts > takes exactly what is left',
  },
  'G2 the key of a charge is refused for another amount': {
    file: 'services/credits/src/charges/charge-credit.ts',
    guard: 'if (entry.requestedAmount !== amountOf(request)) return false;',
    tests: 'services/credits/test/amounts.test.ts > G2: the key',
  },
  'a commit of a part returns the others': {
    file: 'services/credits/src/reservations/settle-reservation.ts',
    guard: 'return Math.min(amount, held);',
    without: 'return held;',
    tests: 'services/credits/test/part-commits.test.ts > makes room',
  },
  'a reservation is settled once': {
    file: 'services/credits/src/reservations/queries.ts',
    guard: ", lock: { mode: 'pessimistic_write' }",
    tests: 'services/credits/test/part-commits.test.ts > of settlements at once',
  },
  'a plan of billing is read also when expired reservations were not enough': {
    file: 'services/credits/src/charges/charge-credit.ts',
    guard: 'if (attempt.result !== null) return attempt.result;',
    without: 'if (released > 0) return attempt.result;',
    tests: 'services/credits/test/amounts.test.ts > read the plan from billing',
  },
  'G2 the same operation is charged once': {
    file: 'services/credits/src/migrations.ts',
    guard: 'UNIQUE KEY ledger_operation (user_id, operation_id),',
    without: 'KEY ledger_operation (user_id, operation_id),',
    tests: 'services/credits/test/charging.test.ts',
  },
  'G3 no client can use the operation id of a release': {
    file: 'services/credits/src/ledger/queries.ts',
    guard: '=> ` ${name}`;',
    without: '=> name;',
    tests: 'services/credits/test/reservations.test.ts > G3',
  },
  'G3 a dearer charge of a contact pays the difference': {
    file: 'services/credits/src/charges/charge-credit.ts',
    guard: 'Math.max(0, amountOf(request) - (price?.paid ?? 0))',
    without: 'price === null || price.paid === 0 ? amountOf(request) : 0',
    tests: 'services/credits/test/contact-prices.test.ts > pays the difference',
  },
  'G3 a commit pays what it costs beyond the price of its contact': {
    file: 'services/credits/src/reservations/settle-reservation.ts',
    guard: 'Math.max(0, amount - price.paid)',
    without: 'amount',
    tests: 'services/credits/test/contact-prices.test.ts > holds the difference',
  },
  'G3 what a commit has charged is paid for the contact': {
    file: 'services/credits/src/reservations/settle-reservation.ts',
    guard: 'if (charged > 0) await updatePrice(tx, contact, { ...price, paid: price.paid + charged });',
    tests: 'services/credits/test/contact-prices.test.ts > was committed with',
  },
  'G3 the price of a contact that an older version charged is in the ledger': {
    file: 'services/credits/src/ledger/contact-queries.ts',
    guard: "IF(r.state IN ('held', 'released'), 0, -charged.amount - COALESCE(unused.amount, 0))",
    without: 'NULL',
    tests: 'services/credits/test/contact-prices.test.ts > is what the ledger says',
  },
  'G2 a charge that costs nothing is remembered by its contact': {
    file: 'services/credits/src/charges/charge-credit.ts',
    guard: 'if (entry === null) return findRepeatedResponse(tx, request);',
    without: 'if (entry === null) return null;',
    tests: 'services/credits/test/contact-prices.test.ts > gets its first response again',
  },
  'what costs no credits has a limit for each day': {
    file: 'services/credits/src/charges/daily-use-queries.ts',
    guard: 'if (uses <= LIMITS[kind]) return;',
    without: 'if (uses >= 0) return;',
    tests: 'services/credits/test/daily-limits.test.ts > are refused beyond the limit',
  },
  'G2 a reservation that was made before the limit gets its response': {
    file: 'services/credits/src/charges/charge-credit.ts',
    guard: "['credits.key_reused', 'credits.daily_limit']",
    without: "['credits.key_reused']",
    tests: 'services/credits/test/daily-limits.test.ts > made before the limit',
  },
  'a page of the history reads few entries under each filter': {
    file: 'services/credits/src/ledger/queries.ts',
    guard: ' FORCE INDEX (${indexFor(query)})',
    tests: 'services/credits/test/long-history.test.ts > reads few entries',
  },
  'a usage report sums so many entries at most': {
    file: 'services/credits/src/ledger/sum-queries.ts',
    guard: 'inPeriod)) > USAGE_ENTRIES_MAX',
    without: 'inPeriod)) < 0',
    tests: 'services/credits/test/long-history.test.ts > is refused in words',
  },
  'one user does not have many long reports summed at a time': {
    file: 'services/credits/src/routes.ts',
    guard: 'const REPORTS_AT_ONCE = 3;',
    without: 'const REPORTS_AT_ONCE = 1_000;',
    tests: 'services/credits/test/long-history.test.ts > three requests of a user',
  },
  'the deletion of a user with many rows goes on after its event': {
    file: 'services/credits/src/erase-user.ts',
    guard: 'await updateRowsLeft(tx, userId, !isDone);',
    tests: 'services/credits/test/large-deletions.test.ts > the rest in the background',
  },
  'G2 a charge under the key of a reservation is refused': {
    file: 'services/credits/src/charges/charge-credit.ts',
    guard:
      'return reservation !== undefined || (await findReservationOfOperation(tx, userId, operationId)) === null;',
    without: 'return true;',
    tests: 'services/credits/test/reservations.test.ts > G2',
  },
  'G8 a charge takes from what ends first': {
    file: 'services/credits/src/buckets/bucket.rules.ts',
    guard: 'compare(timeOf(one.endsAt), timeOf(other.endsAt)) ||',
    tests: 'services/credits/test/buckets.test.ts > takes from what ends first',
  },
  'G8 what was charged last returns first': {
    file: 'services/credits/src/buckets/bucket.rules.ts',
    guard: '(one, other) => other.position - one.position',
    without: '(one, other) => one.position - other.position',
    tests: 'services/credits/test/buckets.test.ts > go back to where they came from',
  },
  'G8 a new bucket has remembered windows selected again': {
    file: 'services/credits/src/windows/queries.ts',
    guard: 'AND COALESCE(a.bucket_version, 0) = ?',
    without: 'AND ? >= 0',
    tests: 'services/credits/test/buckets.test.ts > sees one that came meanwhile',
  },
  'G8 credits that return to a bucket have remembered windows selected again': {
    file: 'services/credits/src/reservations/return-credit.ts',
    guard: 'await raiseBucketVersion(tx, userId);',
    tests: 'services/credits/test/buckets.test.ts > sees credits that returned to one',
  },
  'G8 charges of several buckets wait for each other': {
    file: 'services/credits/src/windows/queries.ts',
    guard: "findOne({ where: { userId }, lock: { mode: 'pessimistic_write' } })",
    without: 'findOne({ where: { userId } })',
    tests: 'services/credits/test/bucket-races.test.ts > of the last credits of a window and a pack',
  },
  'G9 an older state of a pack changes nothing': {
    file: 'services/credits/src/buckets/queries.ts',
    guard: '{ userId, id, version: LessThan(version) }',
    without: '{ userId, id }',
    tests: 'services/credits/test/buckets.test.ts > has the newest state',
  },
  'G9 a refunded pack has no more than what is paid and not used': {
    file: 'services/credits/src/buckets/bucket.rules.ts',
    guard: 'Math.max(0, usable - used)',
    without: 'Math.max(0, usable)',
    tests: 'services/credits/test/buckets.test.ts > G9',
  },
  'G9 a pack of a deleted user creates nothing': {
    file: 'services/credits/src/buckets/change-bucket.ts',
    guard: 'if (await isDeleted(tx, userId)) return deleteAccount(tx, userId);',
    tests: 'services/credits/test/buckets.test.ts > of a deleted user creates nothing',
  },
  'G9 a pack is read from billing before a charge is refused': {
    file: 'services/credits/src/charges/catch-up.ts',
    guard: 'return packs.filter(({ packId, version }) => version > (versions.get(packId) ?? 0));',
    without: 'return [];',
    tests: 'services/credits/test/late-packs.test.ts > before a charge is refused',
  },
  'G9 a change that makes no difference to the balance is not in the history': {
    file: 'services/credits/src/buckets/change-bucket.ts',
    guard: 'if (added === 0) return;',
    tests: 'services/credits/test/balance-history.test.ts > takes or gives nothing',
  },
  'G8 a change of the balance states what is left in all buckets': {
    file: 'services/credits/src/windows/credit-window.ts',
    guard: 'limit - used + inBuckets',
    without: 'limit - used',
    tests: 'services/credits/test/balance-history.test.ts > with the balance after it',
  },
  'G8 credits that were added are no charges': {
    file: 'services/credits/src/ledger/queries.ts',
    guard: 'const nothing = { amount: 0,',
    without: 'const nothing = { amount: entry.added,',
    tests: 'services/credits/test/balance-history.test.ts > changes no sum of charges',
  },
  'G10 the id of a grant is refused for other credits': {
    file: 'services/credits/src/buckets/change-bucket.ts',
    guard: 'stored.credits === grant.credits &&',
    tests: 'services/credits/test/credit-grants.test.ts > are given once for an id',
  },
  'a window warns of each threshold once': {
    file: 'services/credits/src/windows/due-queries.ts',
    guard: 'return isFirst;',
    without: 'return true;',
    tests: 'services/credits/test/warnings.test.ts > once when credits come back',
  },
  'V6 an older plan state changes nothing in credits': {
    file: 'services/credits/src/windows/queries.ts',
    guard: '{ userId, planVersion: LessThan(state.version) },',
    without: '{ userId },',
    tests: 'services/credits/test/plan-events.test.ts',
  },
};
