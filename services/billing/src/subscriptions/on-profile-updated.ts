import type { Fact } from '@shortlist/contracts/events/define';
import type { ProfileUpdated } from '@shortlist/contracts/events/profile';
import type { Tx } from '@shortlist/kit/db';
import { updateSubscriber } from './queries.ts';

export const onProfileUpdated = (tx: Tx, { subject, data }: Fact<ProfileUpdated>): Promise<void> =>
  updateSubscriber(tx, subject, { name: `${data.firstName} ${data.lastName}` });
