import { accountRight, type Right } from '@shortlist/contracts/api/endpoint';
import { accessEnded } from '@shortlist/contracts/events/identity';
import { runCommitCheck, type Tx } from '@shortlist/kit/data/db';
import { type LockRights, storeEndedRight } from '@shortlist/kit/data/rights';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { lockAccounts, raiseGeneration } from './queries.ts';

/** Ends the rights below this version, for every service: changes that are under way with one are refused. `subject`: whose it is. */
export const endRight = async (
  tx: Tx,
  right: Right,
  { subject, clock }: { subject: string; clock: Clock },
): Promise<void> => {
  await runCommitCheck(tx); // the request may stand on the right that it ends
  await storeEndedRight(tx, right, clock());
  await emit(tx, accessEnded, { subject, data: right, clock });
};

/**
 * Ends what began with the account before: bff accepts no session, and completes no log-in, of an earlier generation. Returns the new
 * one. The row stays locked until the end of the transaction.
 */
export const beginGeneration = async (tx: Tx, id: string, clock: Clock): Promise<number> => {
  await runCommitCheck(tx); // as in endRight, which is too late: the row has its lock by then
  const generation = await raiseGeneration(tx, id);
  await endRight(tx, accountRight(id, generation), { subject: id, clock });
  return generation;
};

const HOLDER = /^(?:account|admin):(.+)$/;

/** Locks the accounts on whose sessions and access a request stands. Whatever ends those locks the account as well. */
export const lockRights: LockRights = (tx, rights) =>
  lockAccounts(tx, [...new Set(rights.flatMap(({ id }) => HOLDER.exec(id)?.[1] ?? []))].toSorted());
