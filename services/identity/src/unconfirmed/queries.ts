import type { KeptFor } from '@shortlist/contracts/api/email';
import type { Tx } from '@shortlist/kit/data/db';
import { IsNull, LessThanOrEqual } from 'typeorm';
import { accountEntity, type AccountRow } from '../accounts/queries.ts';
import { dueTimes } from './unconfirmed.rules.ts';

const UNCONFIRMED = { role: 'user', emailVerifiedAt: IsNull(), keptFor: IsNull() } as const;

const toRemind = (now: Date) => ({
  ...UNCONFIRMED,
  createdAt: LessThanOrEqual(dueTimes(now).createdForReminder),
  remindedAt: IsNull(),
});

const toGiveUp = (now: Date) => ({
  ...UNCONFIRMED,
  createdAt: LessThanOrEqual(dueTimes(now).createdForEnd),
  remindedAt: LessThanOrEqual(dueTimes(now).remindedForEnd),
});

/** The accounts whose users are to be reminded, and those that are to be given up, the oldest first. */
export const listDue = (tx: Tx, now: Date, limit: number): Promise<AccountRow[]> =>
  tx.getRepository(accountEntity).find({
    where: [toRemind(now), toGiveUp(now)],
    order: { createdAt: 'ASC' },
    take: limit,
  });

/** Returns false when the address was confirmed, or the reminder caused, meanwhile. */
export const markReminded = async (tx: Tx, id: string, now: Date): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(accountEntity)
    .update({ id, ...toRemind(now) }, { remindedAt: now });
  return affected === 1;
};

/** The account, locked, if it is to be given up: a confirmation at the same moment waits, or was there first. */
export const lockGivenUp = (tx: Tx, id: string, now: Date): Promise<AccountRow | null> =>
  tx
    .getRepository(accountEntity)
    .findOne({ where: { id, ...toGiveUp(now) }, lock: { mode: 'pessimistic_write' } });

/** A plan counts for more than spent credits. Does nothing for an account whose address is confirmed. */
export const markKept = async (tx: Tx, id: string, keptFor: KeptFor): Promise<void> => {
  const change = keptFor === 'plan' ? {} : { keptFor: IsNull() };
  await tx.getRepository(accountEntity).update({ id, emailVerifiedAt: IsNull(), ...change }, { keptFor });
};
