import { migration } from '@shortlist/kit/data/migration';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const KEY = 'CHARACTER SET ascii COLLATE ascii_bin';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/** What revenue, disputes and operators need. Reconciliation fills the new columns of stored rows from Stripe. */
export const records = migration('RecordsBilling1795300000000', [
  // `closing` is TRUE while Stripe may still take money of a deleted user.
  {
    unlessColumn: ['subscribers', 'closing'],
    sql: `ALTER TABLE subscribers
      ADD COLUMN problem TEXT ${TEXT} NULL,
      ADD COLUMN closing BOOLEAN NOT NULL DEFAULT FALSE,
      DROP KEY subscribers_deleted,
      ADD KEY subscribers_closing (closing)`,
  },
  'UPDATE subscribers SET closing = TRUE WHERE deleted_at IS NOT NULL AND customer_id IS NOT NULL',
  // Amounts are minor units of `currency`; the fee and the settlement amount are in the currency of Stripe's balance. A fee that is
  // not known yet is NULL.
  {
    unlessColumn: ['invoices', 'hosted_url'],
    sql: `ALTER TABLE invoices
      MODIFY COLUMN status ENUM('open', 'paid', 'void', 'uncollectible') NOT NULL,
      MODIFY COLUMN fee INT NULL,
      ADD COLUMN number VARCHAR(64) ${TEXT} NULL,
      ADD COLUMN subscription_id VARCHAR(64) ${KEY} NULL,
      ADD COLUMN billing_reason VARCHAR(40) ${KEY} NULL,
      ADD COLUMN subtotal INT NOT NULL DEFAULT 0,
      ADD COLUMN discount INT NOT NULL DEFAULT 0,
      ADD COLUMN tax INT NOT NULL DEFAULT 0,
      ADD COLUMN total INT NOT NULL DEFAULT 0,
      ADD COLUMN settlement_currency CHAR(3) ${KEY} NULL,
      ADD COLUMN settlement_amount INT NULL,
      ADD COLUMN exchange_rate DECIMAL(20,10) NULL,
      ADD COLUMN period_start DATETIME(3) NULL,
      ADD COLUMN period_end DATETIME(3) NULL,
      ADD COLUMN hosted_url VARCHAR(2000) ${KEY} NULL,
      ADD KEY invoices_without_fee (fee, invoice_id)`,
  },
  {
    unlessColumn: ['invoices', 'is_processing'],
    sql: 'ALTER TABLE invoices ADD COLUMN is_processing BOOLEAN NOT NULL DEFAULT FALSE',
  },
  // A fee of 0 was stored for one that was not known.
  'UPDATE invoices SET fee = NULL WHERE fee = 0 AND amount > 0 AND settlement_currency IS NULL',
  // Disputes and the money that they moved, retained like invoices. A negative amount was given back.
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
  // What needs an operator. The id is the kind and Stripe's object, so that one object raises one alert of a kind.
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
