import type { Fact } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/db';
import { deletePicturesOf } from '../pictures/queries.ts';
import { deleteEarlyPlan } from '../plans/queries.ts';
import { deleteProfileRow, rememberDeleted } from './queries.ts';

export const onUserDeleted = async (tx: Tx, { subject, time }: Fact<UserDeleted>): Promise<void> => {
  await rememberDeleted(tx, subject, new Date(time));
  await deletePicturesOf(tx, subject);
  await deleteEarlyPlan(tx, subject);
  await deleteProfileRow(tx, subject);
};
