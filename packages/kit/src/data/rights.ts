// bff checks the rights that a request depends on and passes them on. Before the request writes anything, a reset, a log-out or a suspension
// can end them. Each service therefore stores ended rights for as long as an earlier token may be in use, and every transaction of a request
// checks them before it commits.
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

/** Records that rights of lower versions have ended. An older version changes nothing. */
export const storeEndedRight = async (tx: Tx, { id, version }: Right, endedAt: Date): Promise<void> => {
  // Raw SQL, because the query builder lacks expressions in ON DUPLICATE KEY UPDATE.
  await change(tx, {
    sql: `INSERT INTO ended_rights (right_id, version, ended_at) VALUES (?, ?, ?)
      ON DUPLICATE KEY UPDATE version = GREATEST(version, VALUES(version)), ended_at = VALUES(ended_at)`,
    values: [id, version, endedAt],
  });
};

/** The event handler of every service for ended rights. */
export const onRightEnded =
  (clock: Clock) =>
  (tx: Tx, { data }: { data: Right }): Promise<void> =>
    storeEndedRight(tx, data, clock());

/** Locks the rows that change when a service itself ends these rights, so that a change and the end of a right are serialized. */
export type LockRights = (tx: Tx, rights: readonly Right[]) => Promise<void>;

type Check = { rights: readonly Right[]; checkedAt: number; lifetimeSeconds: number };

/**
 * Returns the check for the transactions of one request: it throws `session.right_ended` if a right has ended, or was checked longer ago than
 * tokens live. A transaction that ends a right of its own request is checked once, before it does so.
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
