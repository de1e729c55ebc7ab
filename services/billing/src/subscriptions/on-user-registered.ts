import type { Fact } from '@shortlist/contracts/events/define';
import type { UserRegistered } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/db';
import { insertSubscriberIfAbsent } from './queries.ts';

export const onUserRegistered = (tx: Tx, { subject, data }: Fact<UserRegistered>): Promise<void> =>
  insertSubscriberIfAbsent(tx, {
    userId: subject,
    email: data.email,
    name: `${data.firstName} ${data.lastName}`,
  });
