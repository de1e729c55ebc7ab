import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { EmailChanged, UserRegistered } from '@shortlist/contracts/events/identity';
import type { ProfileUpdated } from '@shortlist/contracts/events/profile';
import { fullName } from '@shortlist/contracts/messages';
import type { Tx } from '@shortlist/kit/data/db';
import { insertSubscriberIfAbsent, renameSubscriber, updateEmail } from './queries.ts';

export const onUserRegistered = (tx: Tx, { subject, data }: CloudEvent<UserRegistered>): Promise<void> =>
  insertSubscriberIfAbsent(tx, {
    userId: subject,
    email: data.email,
    name: fullName(data),
  });

/** The event may arrive before the user's registration, or after the deletion, when it changes nothing. */
export const onProfileUpdated = async (
  tx: Tx,
  { subject, data }: CloudEvent<ProfileUpdated>,
): Promise<void> => {
  const name = fullName(data);
  await insertSubscriberIfAbsent(tx, { userId: subject, email: data.email, name });
  await renameSubscriber(tx, subject, name);
};

/** Changes nothing for an admin, who is not a subscriber; the registration of a user always comes first. */
export const onEmailChanged = (tx: Tx, { subject, data }: CloudEvent<EmailChanged>): Promise<void> =>
  updateEmail(tx, subject, { email: data.email, emailVersion: data.version });
