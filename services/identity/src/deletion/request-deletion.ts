import { recordAction } from '@shortlist/audit/audit-log';
import type { SubscriptionChoice } from '@shortlist/contracts/api/privacy';
import { deletionRequested } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import type { AccountRow } from '../accounts/account.entity.ts';
import { beginGeneration, lockAccount } from '../accounts/queries.ts';
import { dueAtOf } from './deletion.rules.ts';
import type { DeletionRow } from './deletion.entity.ts';
import { findDeletion, insertDeletion } from './queries.ts';

type Request = {
  id: string;
  /** The address of the account, which the user has typed. */
  email: string;
  keepUntil: Date | null;
  subscription: SubscriptionChoice;
  reason: string;
  caller: Caller;
  clock: Clock;
};

const lockOwnAccount = async (tx: Tx, { id, email }: Request): Promise<AccountRow> => {
  const account = await lockAccount(tx, id);
  if (account?.role !== 'user') throw createError('identity.user_not_found');
  if (account.email === email) return account;
  const { message } = createError('identity.email_mismatch');
  throw createError('identity.email_mismatch', { fields: { email: message } });
};

/** Begins the time until an account is deleted, and ends its sessions. A repeated request returns the first. */
export const requestDeletion = async (
  tx: Tx,
  request: Request,
): Promise<{ deletion: DeletionRow; generation: number }> => {
  const { id: accountId, keepUntil, subscription, reason, caller, clock } = request;
  const account = await lockOwnAccount(tx, request);
  const existing = await findDeletion(tx, accountId);
  if (existing !== null) return { deletion: existing, generation: account.generation };
  const requestedAt = clock();
  const dueAt = dueAtOf(requestedAt, keepUntil);
  const deletion = { id: uuidv7(), accountId, requestedAt, dueAt, remindedAt: null };
  await insertDeletion(tx, deletion);
  const generation = await beginGeneration(tx, accountId);
  const data = { deletionId: deletion.id, dueAt: dueAt.toISOString(), generation };
  await emit(tx, deletionRequested, { subject: accountId, data, clock });
  await recordAction(tx, {
    ...{ action: 'account.request_deletion', targetId: accountId, before: null, clock },
    after: { dueAt: data.dueAt, subscription, reason },
    ...{ actorId: caller.userId ?? accountId, address: caller.address ?? '' },
  });
  return { deletion, generation };
};
