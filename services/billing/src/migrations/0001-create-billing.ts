import { migration } from '@shortlist/kit/migration';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const KEY = 'CHARACTER SET ascii COLLATE ascii_bin';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

export const createBilling = migration('CreateBilling1763600004000', [
  // One row per person: their customer at the provider, the provider's state as last read, and our own grant beside it.
  // The lease says who is reading from the provider for this person now; it is no row lock, so nobody waits on it.
  `CREATE TABLE IF NOT EXISTS subscribers (
    user_id ${ID} NOT NULL PRIMARY KEY,
    email VARCHAR(254) ${TEXT} NOT NULL,
    name VARCHAR(210) ${TEXT} NOT NULL,
    customer_id VARCHAR(64) ${KEY} NULL,
    customer_key ${ID} NULL,
    subscription_id VARCHAR(64) ${KEY} NULL,
    subscription_status VARCHAR(30) ${KEY} NULL,
    renews BOOLEAN NOT NULL DEFAULT FALSE,
    version INT UNSIGNED NOT NULL DEFAULT 0,
    paid TEXT ${TEXT} NULL,
    granted TEXT ${TEXT} NULL,
    lease_holder ${ID} NULL,
    lease_until DATETIME(3) NULL,
    deleted_at DATETIME(3) NULL,
    UNIQUE KEY subscribers_customer (customer_id),
    KEY subscribers_deleted (deleted_at, subscription_status)
  ) ENGINE=InnoDB`,
  // What accounting keeps. Amounts are minor units; fee and refunds are what the provider kept and what went back.
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
  `CREATE TABLE IF NOT EXISTS refunds (
    refund_id VARCHAR(64) ${KEY} NOT NULL PRIMARY KEY,
    invoice_id VARCHAR(64) ${KEY} NOT NULL,
    amount INT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    KEY refunds_created (created_at)
  ) ENGINE=InnoDB`,
  // An intent is stored before the provider is asked; its id is the idempotency key, so asking again opens nothing twice.
  `CREATE TABLE IF NOT EXISTS checkout_intents (
    id ${ID} NOT NULL PRIMARY KEY,
    user_id ${ID} NOT NULL,
    state ENUM('open', 'closed') NOT NULL,
    session_id VARCHAR(100) ${KEY} NULL,
    created_at DATETIME(3) NOT NULL,
    KEY checkout_intents_user (user_id, state)
  ) ENGINE=InnoDB`,
  // The provider's events as they came. The unique id makes a repeated delivery one row.
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
]);
