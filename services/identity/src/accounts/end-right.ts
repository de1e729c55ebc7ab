import { accountRight, type Right } from '@shortlist/contracts/api/endpoint';
import { accessEnded } from '@shortlist/contracts/events/identity';
import { runCommitCheck, type Tx } from '@shortlist/kit/data/db';
import { type LockRights, storeEndedRight } from '@shortlist/kit/data/rights';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { lockAccounts, raiseGeneration } from './queries.ts';

/** Ends the rights below this version in every service: changes in progress that depend on one are refused. `subject`: the owner of the right. */
export const endRight = async (
  tx: Tx,
  right: Right,
  { subject, clock }: { subject: string; clock: Clock },
): Promise<void> => {
  await runCommitCheck(tx); // the request may depend on the right that it ends
  await storeEndedRight(tx, right, clock());
  await emit(tx, accessEnded, { subject, data: right, clock });
};

/**
 * Begins a new generation of the account and returns it: bff accepts no sessions and completes no log-ins of an earlier one. The row stays
 * locked until the end of the transaction.
 */
export const beginGeneration = async (tx: Tx, id: string, clock: Clock): Promise<number> => {
  await runCommitCheck(tx); // as in endRight, which is too late: by then the row is locked
  const generation = await raiseGeneration(tx, id, clock());
  await endRight(tx, accountRight(id, generation), { subject: id, clock });
  return generation;
};

const HOLDER = /^(?:account|admin):(.+)$/;

/** Locks the accounts whose sessions and access a request depends on. Everything that ends those also locks the account. */
export const lockRights: LockRights = (tx, rights) =>
  lockAccounts(tx, [...new Set(rights.flatMap(({ id }) => HOLDER.exec(id)?.[1] ?? []))].toSorted());
