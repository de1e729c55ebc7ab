import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { forgetPayloads } from '../stripe/inbox.ts';
import { insertSubscriberIfAbsent, updateSubscriber } from './queries.ts';

/**
 * Forgets who it was and keeps what accounting must keep. The row stays as the mark that nobody comes back under this id;
 * the provider's subscription is ended by `cancel-deleted.ts`, outside any transaction.
 */
export const onUserDeleted = async (tx: Tx, { subject, time }: CloudEvent<UserDeleted>): Promise<void> => {
  await insertSubscriberIfAbsent(tx, { userId: subject, email: '', name: '' });
  await updateSubscriber(tx, subject, { email: '', name: '', deletedAt: new Date(time) });
  await forgetPayloads(tx, subject);
};
