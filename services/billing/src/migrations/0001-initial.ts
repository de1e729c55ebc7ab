import { AUDIT_LOG } from '@shortlist/audit/tables';
import { migration } from '@shortlist/kit/data/migration';
import { OUTBOX_AND_INBOX } from '@shortlist/kit/messaging/outbox';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const KEY = 'CHARACTER SET ascii COLLATE ascii_bin';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

export const initial = migration('InitialBilling1764000004000', [
  ...OUTBOX_AND_INBOX,
  ...AUDIT_LOG,
  // One row per user: the customer at Stripe, Stripe's state as last read, and the admin's grant beside it. The lease names
  // the process that reads from Stripe for this user. A lease is not a row lock, so no other statement waits for it.
  // `plan_ends_at` is the end of premium whose PlanRevoked is not emitted yet; it is NULL for a free plan.
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
    UNIQUE KEY subscribers_customer (customer_id),
    KEY subscribers_plan_end (plan_ends_at),
    KEY subscribers_deleted (deleted_at, subscription_status)
  ) ENGINE=InnoDB`,
  // Accounting data, retained after a user is deleted. Amounts are minor units.
  `CREATE TABLE IF NOT EXISTS invoices (
    invoice_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,
    user_id ${ID} NOT NULL,
    status ENUM('open', 'paid') NOT NULL,
    amount INT NOT NULL,
    currency CHAR(3) ${KEY} NOT NULL,
    fee INT NOT NULL DEFAULT 0,
    refunded INT NOT NULL DEFAULT 0,
    attempts INT NOT NULL DEFAULT 0,
    paid_at DATETIME(3) NULL,
    KEY invoices_paid (paid_at),
    KEY invoices_user (user_id, paid_at)
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
]);
