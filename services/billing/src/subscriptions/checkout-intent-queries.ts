import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { change } from '@shortlist/kit/data/sql';
import { In } from 'typeorm';
import type { CheckoutKind } from '../stripe/checkouts.ts';
import type { Lease } from './queries.ts';

/** An order of a checkout session. Its id is the idempotency key of the order. */
export const checkoutIntentEntity = defineEntity('checkout_intent', 'checkout_intents', {
  id: { ...column.uuid, primary: true },
  userId: column.uuid,
  kind: { ...column.enumOf(['plan', 'pack']), default: 'plan' },
  state: column.enumOf(['open', 'closed']),
  sessionId: column.nullable(column.varchar(100)),
  createdAt: column.dateTime,
});
export type CheckoutIntentRow = RowOf<typeof checkoutIntentEntity>;

export const findOpenIntent = (
  tx: Tx,
  userId: string,
  kind: CheckoutKind,
): Promise<CheckoutIntentRow | null> =>
  tx
    .getRepository(checkoutIntentEntity)
    .findOne({ where: { userId, kind, state: 'open' }, order: { createdAt: 'DESC' } });

export const listOpenIntents = (
  tx: Tx,
  userId: string,
  kinds: readonly CheckoutKind[],
): Promise<CheckoutIntentRow[]> =>
  tx.getRepository(checkoutIntentEntity).findBy({ userId, kind: In([...kinds]), state: 'open' });

/** Returns false without writing if the lease has passed to another owner. Raw SQL for INSERT … SELECT. */
export const insertIntent = async (
  tx: Tx,
  { userId, owner }: Lease,
  { id, kind, createdAt }: Pick<CheckoutIntentRow, 'id' | 'kind' | 'createdAt'>,
): Promise<boolean> => {
  const { affectedRows } = await change(tx, {
    sql: `INSERT INTO checkout_intents (id, user_id, kind, state, created_at)
          SELECT ?, user_id, ?, 'open', ? FROM subscribers WHERE user_id = ? AND lease_owner = ?`,
    values: [id, kind, createdAt, userId, owner],
  });
  return affectedRows === 1;
};

export const setIntentSession = async (tx: Tx, id: string, sessionId: string): Promise<void> => {
  await tx.getRepository(checkoutIntentEntity).update({ id }, { sessionId });
};

/** A user's order that led to this session. */
export const findIntentOfSession = (
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<CheckoutIntentRow | null> =>
  tx.getRepository(checkoutIntentEntity).findOneBy({ userId, sessionId });

/** Closes the order of a session that has been paid or has expired. */
export const closeIntentOfSession = async (
  tx: Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> => {
  await tx.getRepository(checkoutIntentEntity).update({ userId, sessionId }, { state: 'closed' });
};

export const closeIntent = (tx: Tx, id: string): Promise<void> => closeIntents(tx, [id]);

export const closeIntents = async (tx: Tx, ids: string[]): Promise<void> => {
  if (ids.length > 0)
    await tx.getRepository(checkoutIntentEntity).update({ id: In(ids) }, { state: 'closed' });
};
