import { AUDIT_LOG } from '@shortlist/audit/tables';
import { addColumn, migration } from '@shortlist/kit/data/migration';
import { OUTBOX_AND_INBOX } from '@shortlist/kit/messaging/outbox';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const KEY = 'CHARACTER SET ascii COLLATE ascii_bin';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/** The first migration of a release. From here on migrations are only added: a database may have run this one. */
export const initial = migration('InitialBilling1764000004000', [
  ...OUTBOX_AND_INBOX,
  ...AUDIT_LOG,
  // One row per user: the customer at Stripe, Stripe's state as last read, and the admin's grant. The lease names the process that reads from
  // Stripe for this user. A lease is not a row lock, so no other statement waits for it. `plan_ends_at` is the end of premium until its
  // PlanRevoked is emitted; NULL for a free plan. `closing` is TRUE while Stripe may still charge a deleted user, `email_due` while the
  // customer at Stripe may have an older email.
  `CREATE TABLE IF NOT EXISTS subscribers (
    user_id ${ID} NOT NULL PRIMARY KEY,
    email VARCHAR(254) ${TEXT} NOT NULL,
    name VARCHAR(210) ${TEXT} NOT NULL,
    customer_id VARCHAR(64) ${KEY} NULL,
    customer_key ${ID} NULL,
    subscription_id VARCHAR(64) ${KEY} NULL,
    subscription_status VARCHAR(30) ${KEY} NULL,
    renews BOOLEAN NOT NULL DEFAULT FALSE,
    price_amount INT UNSIGNED NULL,
    price_currency CHAR(3) ${KEY} NULL,
    version INT UNSIGNED NOT NULL DEFAULT 0,
    paid TEXT ${TEXT} NULL,
    granted TEXT ${TEXT} NULL,
    plan_ends_at DATETIME(3) NULL,
    lease_owner ${ID} NULL,
    lease_until DATETIME(3) NULL,
    deleted_at DATETIME(3) NULL,
    problem TEXT ${TEXT} NULL,
    closing BOOLEAN NOT NULL DEFAULT FALSE,
    email_version INT UNSIGNED NOT NULL DEFAULT 1,
    email_due BOOLEAN NOT NULL DEFAULT FALSE,
    UNIQUE KEY subscribers_customer (customer_id),
    KEY subscribers_plan_end (plan_ends_at),
    KEY subscribers_closing (closing),
    KEY subscribers_email_due (email_due)
  ) ENGINE=InnoDB`,
  // Accounting data, retained after a user is deleted. Amounts are minor units of `currency`; the fee and the settlement amount are in the
  // currency of Stripe's balance. An unknown fee is NULL.
  `CREATE TABLE IF NOT EXISTS invoices (
    invoice_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,
    user_id ${ID} NOT NULL,
    status ENUM('open', 'paid', 'void', 'uncollectible') NOT NULL,
    amount INT NOT NULL,
    currency CHAR(3) ${KEY} NOT NULL,
    fee INT NULL,
    refunded INT NOT NULL DEFAULT 0,
    attempts INT NOT NULL DEFAULT 0,
    paid_at DATETIME(3) NULL,
    number VARCHAR(64) ${TEXT} NULL,
    subscription_id VARCHAR(64) ${KEY} NULL,
    billing_reason VARCHAR(40) ${KEY} NULL,
    subtotal INT NOT NULL DEFAULT 0,
    discount INT NOT NULL DEFAULT 0,
    tax INT NOT NULL DEFAULT 0,
    total INT NOT NULL DEFAULT 0,
    settlement_currency CHAR(3) ${KEY} NULL,
    settlement_amount INT NULL,
    exchange_rate DECIMAL(20,10) NULL,
    period_start DATETIME(3) NULL,
    period_end DATETIME(3) NULL,
    hosted_url VARCHAR(2000) ${KEY} NULL,
    is_processing BOOLEAN NOT NULL DEFAULT FALSE,
    KEY invoices_paid (paid_at),
    KEY invoices_user (user_id, paid_at),
    KEY invoices_without_fee (fee, invoice_id)
  ) ENGINE=InnoDB`,
  // The key on invoice_id limits the locks of one user's refunds to that user's rows.
  `CREATE TABLE IF NOT EXISTS refunds (
    refund_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,
    invoice_id VARCHAR(64) ${KEY} NOT NULL,
    amount INT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    KEY refunds_created (created_at),
    KEY refunds_invoice (invoice_id)
  ) ENGINE=InnoDB`,
  // An intent is stored before the call to Stripe. Its id is the idempotency key, so a repeated call opens no second session.
  `CREATE TABLE IF NOT EXISTS checkout_intents (
    id ${ID} NOT NULL PRIMARY KEY,
    user_id ${ID} NOT NULL,
    state ENUM('open', 'closed') NOT NULL,
    session_id VARCHAR(100) ${KEY} NULL,
    created_at DATETIME(3) NOT NULL,
    KEY checkout_intents_user (user_id, state)
  ) ENGINE=InnoDB`,
  // Stripe's events as received. The unique id makes a repeated delivery one row.
  `CREATE TABLE IF NOT EXISTS stripe_events (
    event_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,
    type VARCHAR(80) ${KEY} NOT NULL,
    customer_id VARCHAR(64) ${KEY} NULL,
    payload MEDIUMTEXT ${TEXT} NOT NULL,
    status ENUM('pending', 'done', 'ignored', 'failed') NOT NULL,
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    last_error VARCHAR(500) ${TEXT} NULL,
    received_at DATETIME(3) NOT NULL,
    due_at DATETIME(3) NOT NULL,
    KEY stripe_events_due (status, due_at),
    KEY stripe_events_customer (customer_id, status)
  ) ENGINE=InnoDB`,
  // The position of reconciliation in each of Stripe's lists.
  `CREATE TABLE IF NOT EXISTS cursors (
    list VARCHAR(30) ${KEY} NOT NULL PRIMARY KEY,
    position VARCHAR(100) ${KEY} NULL
  ) ENGINE=InnoDB`,
  // Disputes and the money that they moved, retained like invoices. A negative amount was returned.
  `CREATE TABLE IF NOT EXISTS disputes (
    dispute_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,
    invoice_id VARCHAR(64) ${KEY} NOT NULL,
    user_id ${ID} NOT NULL,
    charge_id VARCHAR(64) ${KEY} NOT NULL,
    amount INT NOT NULL,
    currency CHAR(3) ${KEY} NOT NULL,
    reason VARCHAR(60) ${KEY} NOT NULL,
    status VARCHAR(30) ${KEY} NOT NULL,
    opened_at DATETIME(3) NOT NULL,
    evidence_due_at DATETIME(3) NULL,
    closed_at DATETIME(3) NULL,
    KEY disputes_user (user_id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS dispute_transactions (
    transaction_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,
    dispute_id VARCHAR(64) ${KEY} NOT NULL,
    amount INT NOT NULL,
    fee INT NOT NULL,
    currency CHAR(3) ${KEY} NOT NULL,
    created_at DATETIME(3) NOT NULL,
    KEY dispute_transactions_created (created_at),
    KEY dispute_transactions_dispute (dispute_id)
  ) ENGINE=InnoDB`,
  // The history of each user's subscriptions, retained like invoices.
  `CREATE TABLE IF NOT EXISTS subscriptions (
    subscription_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,
    user_id ${ID} NOT NULL,
    status VARCHAR(30) ${KEY} NOT NULL,
    started_at DATETIME(3) NOT NULL,
    canceled_at DATETIME(3) NULL,
    ended_at DATETIME(3) NULL,
    cancel_reason VARCHAR(64) ${KEY} NULL,
    price_amount INT NULL,
    price_currency CHAR(3) ${KEY} NULL,
    KEY subscriptions_user (user_id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS payouts (
    payout_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,
    amount INT NOT NULL,
    currency CHAR(3) ${KEY} NOT NULL,
    status VARCHAR(30) ${KEY} NOT NULL,
    arrival_at DATETIME(3) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    KEY payouts_created (created_at)
  ) ENGINE=InnoDB`,
  // Alerts for operators. The id consists of the kind and Stripe's object, so that an object raises only one alert of a kind.
  `CREATE TABLE IF NOT EXISTS alerts (
    alert_id VARCHAR(100) ${KEY} NOT NULL PRIMARY KEY,
    kind VARCHAR(40) ${KEY} NOT NULL,
    user_id ${ID} NULL,
    object_id VARCHAR(64) ${KEY} NOT NULL,
    amount INT NULL,
    currency CHAR(3) ${KEY} NULL,
    detail VARCHAR(500) ${TEXT} NULL,
    raised_at DATETIME(3) NOT NULL,
    resolved_at DATETIME(3) NULL,
    KEY alerts_open (resolved_at, raised_at)
  ) ENGINE=InnoDB`,
]);

/** When everything paid until then was ended at once. */
export const revokedPlans = migration('RevokedPlans1764100000000', [
  addColumn('subscribers', 'revoked_at', 'DATETIME(3) NULL'),
]);

/** A failed refund stays a movement on its day, and its failure is another movement. */
export const failedRefunds = migration('FailedRefunds1764200000000', [
  addColumn('refunds', 'failed_at', 'DATETIME(3) NULL, ADD KEY refunds_failed (failed_at)'),
]);

/** Why an admin resolved or reopened an alert. */
export const alertNotes = migration('AlertNotes1764400000000', [
  addColumn('alerts', 'note', `VARCHAR(300) ${TEXT} NULL, ADD KEY alerts_user (user_id)`),
]);

/**
 * Payments are booked on Stripe's date, or until that is known on the date of payment, and tax is separate. Invoices are compared with Stripe's
 * refunds and fees by their charge.
 */
export const bookedPayments = migration('BookedPayments1764300000000', [
  addColumn('invoices', 'booked_at', 'DATETIME(3) NULL, ADD KEY invoices_booked (booked_at)'),
  'UPDATE invoices SET booked_at = paid_at WHERE booked_at IS NULL AND paid_at IS NOT NULL',
  addColumn('invoices', 'charge_id', `VARCHAR(64) ${KEY} NULL, ADD KEY invoices_charge (charge_id)`),
  addColumn('refunds', 'tax', 'INT NOT NULL DEFAULT 0'),
]);

/** When to email a user about an expiring card, and the cards that were already emailed about. */
export const cardWarnings = migration('CardWarnings1764600000000', [
  addColumn(
    'subscribers',
    'card_warning_at',
    'DATETIME(3) NULL, ADD KEY subscribers_card_warning (card_warning_at)',
  ),
  addColumn('subscribers', 'cards_warned', `TEXT ${TEXT} NULL`),
]);

/** Packs of credits: checkout, invoice and state. Packs are deleted with their user; the invoices stay. */
export const creditPacks = migration('CreditPacks1764700000000', [
  addColumn('checkout_intents', 'kind', "ENUM('plan', 'pack') NOT NULL DEFAULT 'plan'"),
  addColumn('invoices', 'credits', 'INT UNSIGNED NULL'),
  `CREATE TABLE IF NOT EXISTS credit_packs (
    pack_id ${ID} NOT NULL PRIMARY KEY,
    user_id ${ID} NOT NULL,
    invoice_id VARCHAR(64) ${KEY} NOT NULL,
    version INT UNSIGNED NOT NULL,
    credits INT UNSIGNED NOT NULL,
    paid_credits INT UNSIGNED NOT NULL,
    amount INT NOT NULL,
    currency CHAR(3) ${KEY} NOT NULL,
    state ENUM('paid', 'partly_refunded', 'refunded', 'disputed') NOT NULL,
    paid_at DATETIME(3) NOT NULL,
    UNIQUE KEY credit_packs_invoice (invoice_id),
    KEY credit_packs_user (user_id, paid_at)
  ) ENGINE=InnoDB`,
]);

/** The end date of a subscription that renews until then. */
export const renewalEnds = migration('RenewalEnds1765200000000', [
  addColumn('subscribers', 'renews_until', 'DATETIME(3) NULL'),
]);

/** The card on file, which the page of the plan shows. A row gets it with its next refresh. */
export const cardOnFile = migration('CardOnFile1765300000000', [
  addColumn('subscribers', 'card', `TEXT ${TEXT} NULL`),
]);

/** What the stored state includes, so that events about nothing new cause no read from Stripe. */
export const includedEvents = migration('IncludedEvents1765500000000', [
  addColumn('subscribers', 'read_at', 'DATETIME(3) NULL'),
  addColumn('subscribers', 'own_requests', `TEXT ${TEXT} NULL`),
  addColumn('stripe_events', 'created_at', 'DATETIME(3) NULL'),
  addColumn('stripe_events', 'request_id', `VARCHAR(64) ${KEY} NULL`),
]);

/** Admins find a user by the number and the payment of an invoice. A stored invoice gets its payment with its customer's next refresh. */
export const invoiceReferences = migration('InvoiceReferences1765400000000', [
  addColumn(
    'invoices',
    'payment_intent_id',
    `VARCHAR(64) ${KEY} NULL,
      ADD KEY invoices_payment_intent (payment_intent_id), ADD KEY invoices_number (number)`,
  ),
]);

/**
 * Admins list payments by their date and by what became of them. Both are computed, so that a process of the release before need not write them.
 * A dispute changes the second one (payment-queries.ts).
 */
export const datedPayments = migration('DatedPayments1765600000000', [
  addColumn(
    'invoices',
    'dated_at',
    "DATETIME(3) AS (COALESCE(paid_at, period_start, TIMESTAMP'1970-01-01 00:00:00')) VIRTUAL",
  ),
  addColumn(
    'invoices',
    'outcome',
    `VARCHAR(20) ${KEY} AS (CASE
      WHEN status = 'open' AND is_processing THEN 'processing'
      WHEN status = 'open' AND attempts > 0 THEN 'past_due'
      WHEN status = 'open' THEN 'open'
      WHEN status = 'uncollectible' THEN 'failed'
      WHEN status = 'void' THEN 'void'
      WHEN amount > 0 AND refunded >= amount THEN 'refunded'
      WHEN refunded > 0 THEN 'partly_refunded'
      ELSE 'paid' END) VIRTUAL`,
  ),
  {
    unlessIndex: ['invoices', 'invoices_dated'],
    sql: 'ALTER TABLE invoices ADD KEY invoices_dated (dated_at, invoice_id), ADD KEY invoices_outcome (outcome, dated_at, invoice_id)',
  },
  {
    unlessIndex: ['disputes', 'disputes_invoice'],
    sql: 'ALTER TABLE disputes ADD KEY disputes_invoice (invoice_id)',
  },
]);

/**
 * The movements of revenue, which are only ever added, with their sums and cohorts. Reconciliation records those of what is already stored.
 * Sums are found by range, so their key begins with the unit and the currency.
 */
export const revenueMovements = migration('RevenueMovements1765700000000', [
  addColumn('invoices', 'monthly_amount', 'INT NULL'),
  addColumn('invoices', 'failed_at', 'DATETIME(3) NULL'),
  `CREATE TABLE IF NOT EXISTS revenue_movements (
    movement_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    user_id ${ID} NOT NULL,
    kind VARCHAR(20) ${KEY} NOT NULL,
    currency CHAR(3) ${KEY} NOT NULL,
    amount INT NOT NULL,
    count INT NOT NULL,
    moved_at DATETIME(3) NOT NULL,
    source VARCHAR(64) ${KEY} NOT NULL,
    invoice_id VARCHAR(64) ${KEY} NULL,
    recorded_at DATETIME(3) NOT NULL,
    KEY revenue_movements_user (user_id, moved_at),
    KEY revenue_movements_kind (kind, currency, moved_at, movement_id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS revenue_sums (
    unit ENUM('quarter', 'day') NOT NULL,
    currency CHAR(3) ${KEY} NOT NULL,
    starts_at DATETIME NOT NULL,
    kind VARCHAR(20) ${KEY} NOT NULL,
    amount BIGINT NOT NULL,
    count INT NOT NULL,
    PRIMARY KEY (unit, currency, starts_at, kind)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS revenue_cohorts (
    currency CHAR(3) ${KEY} NOT NULL,
    cohort CHAR(7) ${KEY} NOT NULL,
    month CHAR(7) ${KEY} NOT NULL,
    people INT NOT NULL,
    active INT NOT NULL,
    PRIMARY KEY (currency, cohort, month)
  ) ENGINE=InnoDB`,
]);

/** The newest run of reconciliation and the newest that repaired something, and the index of the lists of webhooks on the System screen. */
export const systemScreen = migration('SystemScreen1767000000000', [
  `CREATE TABLE IF NOT EXISTS reconciliations (
    name ENUM('last', 'repair') NOT NULL PRIMARY KEY,
    ended_at DATETIME(3) NOT NULL,
    checked INT UNSIGNED NOT NULL,
    repaired INT UNSIGNED NOT NULL,
    failed INT UNSIGNED NOT NULL
  ) ENGINE=InnoDB`,
  {
    unlessIndex: ['stripe_events', 'stripe_events_received'],
    sql: `ALTER TABLE stripe_events ADD KEY stripe_events_received (status, received_at, event_id),
      ALGORITHM = INPLACE, LOCK = NONE`,
  },
]);

/** When Stripe tries again to collect an invoice. A stored one gets it with its customer's next refresh. */
export const nextAttempts = migration('NextAttempts1767200000002', [
  addColumn('invoices', 'next_attempt_at', 'DATETIME(3) NULL'),
]);

/** How often the price of a subscription is charged, and with which discount. Refreshes fill it in; until then it is a month. */
export const yearlyPlans = migration('YearlyPlans1767900000000', [
  addColumn('subscribers', 'price_interval', `VARCHAR(5) ${KEY} NULL`),
  addColumn('subscribers', 'next_interval', `VARCHAR(5) ${KEY} NULL`),
  addColumn('subscribers', 'discount', 'JSON NULL'),
  addColumn('subscriptions', 'price_interval', `VARCHAR(5) ${KEY} NULL`),
]);

/**
 * The end of a trial while a subscription is in it, when to email the user about it and the one that was emailed about, whether the last one was
 * refused, and hashes of what trials were begun with.
 */
export const trials = migration('Trials1768000000000', [
  addColumn('subscribers', 'trial_ends_at', 'DATETIME(3) NULL'),
  addColumn('subscribers', 'is_trial_refused', 'BOOLEAN NOT NULL DEFAULT FALSE'),
  addColumn(
    'subscribers',
    'trial_notice_at',
    'DATETIME(3) NULL, ADD KEY subscribers_trial_notice (trial_notice_at)',
  ),
  addColumn('subscribers', 'trial_noticed', `VARCHAR(64) ${KEY} NULL`),
  `CREATE TABLE IF NOT EXISTS trials (
    kind ENUM('user', 'email', 'card') NOT NULL,
    hash CHAR(43) ${KEY} NOT NULL,
    key_id CHAR(16) ${KEY} NOT NULL,
    subscription_id VARCHAR(64) ${KEY} NOT NULL,
    claimed_at DATETIME(3) NOT NULL,
    PRIMARY KEY (kind, hash),
    KEY trials_subscription (subscription_id),
    KEY trials_claimed (claimed_at),
    KEY trials_key (key_id)
  ) ENGINE=InnoDB`,
]);

/**
 * The sums of three hours, from those of quarter hours. The release before has no sums. The times are computed without the time zone of the
 * connection.
 */
export const sumsOfThreeHours = migration('SumsOfThreeHours1768200000000', [
  `ALTER TABLE revenue_sums MODIFY unit ENUM('quarter', 'day', 'three_hours') NOT NULL`,
  `INSERT INTO revenue_sums (unit, currency, starts_at, kind, amount, count)
   SELECT 'three_hours', currency, starts_at - INTERVAL MOD(HOUR(starts_at), 3) HOUR - INTERVAL MINUTE(starts_at) MINUTE AS starts,
     kind, SUM(amount), SUM(count)
   FROM revenue_sums WHERE unit = 'quarter' GROUP BY currency, starts, kind
   ON DUPLICATE KEY UPDATE amount = VALUES(amount), count = VALUES(count)`,
]);

/** With all that the sums of payments read, which so need not read the rows. */
export const sumsOfPayments = migration('SumsOfPayments1768300000000', [
  {
    unlessIndex: ['invoices', 'invoices_sums'],
    sql: `ALTER TABLE invoices ADD KEY invoices_sums (dated_at, outcome, status, credits, currency, settlement_currency,
      amount, refunded, fee), ALGORITHM = INPLACE, LOCK = NONE`,
  },
]);
