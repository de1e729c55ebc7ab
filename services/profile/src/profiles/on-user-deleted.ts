import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { deleteProfile } from './delete-profile.ts';

export const onUserDeleted = (tx: Tx, { subject, time }: CloudEvent<UserDeleted>): Promise<void> =>
  deleteProfile(tx, subject, new Date(time));
