// bff checks what a request stands on and sends it on. Until the request has written something, a reset, a log-out or a suspension can end
// that. Each service therefore stores what has ended, for as long as a token of before may be under way, and no transaction of a
// request commits without a look at it.
import type { Right } from '@shortlist/contracts/api/endpoint';
import { seconds } from '@shortlist/contracts/durations';
import type { Clock } from '../process/clock.ts';
import { createError } from '../process/errors.ts';
import type { Tx } from './db.ts';
import { migration } from './migration.ts';
import { change, integer, selectRows, text } from './sql.ts';

export const endedRights = migration('EndedRights1764600000000', [
  `CREATE TABLE IF NOT EXISTS ended_rights (
    right_id VARCHAR(60) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    version INT UNSIGNED NOT NULL,
    ended_at DATETIME(3) NOT NULL,
    KEY ended_rights_time (ended_at)
  ) ENGINE=InnoDB`,
]);

/** Stores that rights of a lower version have ended. An older call changes nothing. */
export const storeEndedRight = async (tx: Tx, { id, version }: Right, endedAt: Date): Promise<void> => {
  // By hand: the builder lacks expressions in ON DUPLICATE KEY UPDATE.
  await change(tx, {
    sql: `INSERT INTO ended_rights (right_id, version, ended_at) VALUES (?, ?, ?)
      ON DUPLICATE KEY UPDATE version = GREATEST(version, VALUES(version)), ended_at = VALUES(ended_at)`,
    values: [id, version, endedAt],
  });
};

/** What a service does with the event of an end. */
export const onRightEnded =
  (clock: Clock) =>
  (tx: Tx, { data }: { data: Right }): Promise<void> =>
    storeEndedRight(tx, data, clock());

/** Locks the rows by which a service itself ends these rights, so that a change and an end come one after the other. */
export type LockRights = (tx: Tx, rights: readonly Right[]) => Promise<void>;

type Check = { rights: readonly Right[]; checkedAt: number; lifetimeSeconds: number };

/**
 * Returns the check of the transactions of one request: it throws `session.right_ended` once a right has ended, or was checked longer ago
 * than tokens live. A transaction that ends a right of its own request is checked before that, and once.
 */
export const createRightsCheck = (
  { rights, checkedAt, lifetimeSeconds }: Check,
  { clock, lockRights }: { clock: Clock; lockRights: LockRights | undefined },
): ((tx: Tx) => Promise<void>) => {
  const checked = new WeakSet<Tx>();
  const ids = rights.map(({ id }) => id);
  return async (tx) => {
    if (checked.has(tx)) return;
    await lockRights?.(tx, rights);
    // Hot: part of every change. READ COMMITTED: it sees what was committed while the transaction waited for its locks.
    const ended = await selectRows(
      tx,
      { id: text, version: integer },
      { sql: 'SELECT right_id AS id, version FROM ended_rights WHERE right_id IN (?)', values: [ids] },
    );
    const hasEnded = rights.some(({ id, version }) =>
      ended.some((end) => end.id === id && end.version > version),
    );
    if (hasEnded || clock().getTime() > checkedAt + seconds(lifetimeSeconds))
      throw createError('session.right_ended');
    checked.add(tx);
  };
};
