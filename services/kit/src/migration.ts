import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A forward-only change of the database: statements that may run again after a half-done try. `name` ends in a
 * 13-digit timestamp, which orders migrations. A class only because TypeORM asks for one.
 */
export const migration = (name: string, statements: readonly string[]): new () => MigrationInterface =>
  // eslint-disable-next-line house/no-class -- TypeORM takes a migration only as a class
  class implements MigrationInterface {
    readonly name = name;
    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }
    down(): Promise<void> {
      return Promise.reject(new Error('migrations go forward only'));
    }
  };

/** The outbox of facts to publish and the inbox of facts already heard, in every database that has either. */
export const createOutboxAndInbox = migration('CreateOutboxAndInbox1763600000000', [
  `CREATE TABLE IF NOT EXISTS outbox (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    event_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    topic VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    message_key VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    published_at DATETIME(3) NULL,
    UNIQUE KEY outbox_event (event_id),
    KEY outbox_unsent (published_at, id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS inbox (
    hearer VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    heard_at DATETIME(3) NOT NULL,
    PRIMARY KEY (hearer, event_id),
    KEY inbox_heard (heard_at)
  ) ENGINE=InnoDB`,
]);

/** Who did what to whom: rows are added and stay; only a deleted person's own words are taken out (`audit.ts` has no other statement). */
export const createAuditLog = migration('CreateAuditLog1763700000000', [
  `CREATE TABLE IF NOT EXISTS audit_log (
    id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    at DATETIME(3) NOT NULL,
    actor_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    action VARCHAR(60) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    target_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    before_state TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    after_state TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    KEY audit_target (target_id, id),
    KEY audit_actor (actor_id, id)
  ) ENGINE=InnoDB`,
]);
