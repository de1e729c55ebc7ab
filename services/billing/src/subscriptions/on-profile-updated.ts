import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { ProfileUpdated } from '@shortlist/contracts/events/profile';
import type { Tx } from '@shortlist/kit/data/db';
import { insertSubscriberIfAbsent, renameSubscriber } from './queries.ts';

/** The event may arrive before the user's registration, and after the deletion, when it changes nothing. */
export const onProfileUpdated = async (
  tx: Tx,
  { subject, data }: CloudEvent<ProfileUpdated>,
): Promise<void> => {
  const name = `${data.firstName} ${data.lastName}`;
  await insertSubscriberIfAbsent(tx, { userId: subject, email: data.email, name });
  await renameSubscriber(tx, subject, name);
};
