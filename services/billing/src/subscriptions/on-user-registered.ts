import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserRegistered } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { insertSubscriberIfAbsent } from './queries.ts';

export const onUserRegistered = (tx: Tx, { subject, data }: CloudEvent<UserRegistered>): Promise<void> =>
  insertSubscriberIfAbsent(tx, {
    userId: subject,
    email: data.email,
    name: `${data.firstName} ${data.lastName}`,
  });
