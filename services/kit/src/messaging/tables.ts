/** The statements that create the outbox (events to publish) and the inbox (events already handled) of a service's database. */
export const OUTBOX_AND_INBOX: readonly string[] = [
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
    consumer VARCHAR(30) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    handled_at DATETIME(3) NOT NULL,
    PRIMARY KEY (consumer, event_id),
    KEY inbox_handled (handled_at)
  ) ENGINE=InnoDB`,
];
