import type { Fact } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/db';
import { deleteLedgerOf } from '../spends/queries.ts';
import { deleteWindowsOf } from '../windows/queries.ts';
import { deleteAccount, rememberDeleted } from './queries.ts';

export const onUserDeleted = async (tx: Tx, { subject, time }: Fact<UserDeleted>): Promise<void> => {
  await rememberDeleted(tx, subject, new Date(time));
  await deleteAccount(tx, subject);
  await deleteLedgerOf(tx, subject);
  await deleteWindowsOf(tx, subject);
};
