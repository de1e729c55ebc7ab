import { type Suppression, SUPPRESSION_KINDS } from '@shortlist/contracts/api/email';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { change } from '@shortlist/kit/data/sql';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { In, IsNull } from 'typeorm';

/**
 * A suppressed address, until `liftedAt`. The row stays for a while after that, so that older events that arrive late change nothing. `userId`:
 * the user of the email that was not delivered, or of the last one that was not sent.
 */
export const suppressionEntity = defineEntity('suppression', 'suppressions', {
  email: { ...column.varchar(254), primary: true },
  userId: column.uuid,
  kind: column.enumOf(SUPPRESSION_KINDS),
  reason: column.varchar(200),
  /** The time of the event, by the provider's clock. */
  occurredAt: column.dateTime,
  liftedAt: column.nullable(column.dateTime),
  changedAt: column.dateTime,
});
type SuppressionRow = RowOf<typeof suppressionEntity>;

const presentSuppression = ({ email, kind, reason, occurredAt }: SuppressionRow): Suppression => ({
  email,
  kind,
  reason,
  at: occurredAt.toISOString(),
});

/** The suppressions among these addresses. */
export const listSuppressions = async (tx: Tx, emails: readonly string[]): Promise<Suppression[]> => {
  if (emails.length === 0) return [];
  const rows = await tx
    .getRepository(suppressionEntity)
    .findBy({ email: In([...emails]), liftedAt: IsNull() });
  return rows.map(presentSuppression);
};

/** The suppressions of emails to a user, newest last. */
export const listSuppressionsOf = async (tx: Tx, userId: string): Promise<Suppression[]> => {
  const rows = await tx
    .getRepository(suppressionEntity)
    .find({ where: { userId, liftedAt: IsNull() }, order: { occurredAt: 'ASC' } });
  return rows.map(presentSuppression);
};

// SendGrid's times are in seconds. Of two events in the same second, the one that stops more emails counts, whichever comes first; a
// suppression that was lifted in the second of an event counts as earlier.
const IS_NEWER = `(VALUES(occurred_at) > occurred_at OR (VALUES(occurred_at) = occurred_at AND VALUES(kind) = 'bounced'))
  AND (lifted_at IS NULL OR VALUES(occurred_at) > lifted_at - INTERVAL 1 SECOND)`;
const newest = (column: string): string => `${column} = IF(${IS_NEWER}, VALUES(${column}), ${column})`;

/** Stores a suppression unless a newer one is stored. Raw SQL, because the builder lacks conditions in ON DUPLICATE KEY UPDATE. */
export const suppress = async (
  tx: Tx,
  { email, userId, kind, reason, occurredAt }: Omit<SuppressionRow, 'liftedAt' | 'changedAt'>,
): Promise<void> => {
  await change(tx, {
    // The order matters: a column that a condition reads must be assigned after those that depend on it.
    sql: `INSERT INTO suppressions (email, user_id, kind, reason, occurred_at, lifted_at, changed_at)
      VALUES (?, ?, ?, ?, ?, NULL, NOW(3))
      ON DUPLICATE KEY UPDATE ${['user_id', 'reason', 'changed_at', 'kind', 'lifted_at', 'occurred_at'].map(newest).join(', ')}`,
    values: [email, userId, kind, reason, occurredAt],
  });
};

/** Returns whether the address was suppressed. Uses the database's time, like the emails. */
export const liftSuppression = async (tx: Tx, email: string): Promise<boolean> => {
  const now = (): string => 'NOW(3)';
  const { affected } = await tx
    .getRepository(suppressionEntity)
    .update({ email, liftedAt: IsNull() }, { liftedAt: now, changedAt: now });
  return affected === 1;
};

/** Assigns a suppression to the user to whom an email was not sent, so that it is deleted with that account. */
export const claimSuppression = async (tx: Tx, email: string, userId: string): Promise<void> => {
  await tx.getRepository(suppressionEntity).update({ email }, { userId });
};

/** Days after which a suppression ends by itself. */
const SUPPRESSION_DAYS = 90;

export const OLD_SUPPRESSIONS: PruneRule = {
  days: SUPPRESSION_DAYS,
  remove: 'DELETE FROM suppressions WHERE changed_at < ? ORDER BY changed_at LIMIT ?',
};
