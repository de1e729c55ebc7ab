import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserRegistered } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { createProfile } from './create-profile.ts';

/** The sign-up adds the profile itself; this is for when it was cut off in between. */
export const onUserRegistered = (tx: Tx, { subject, data }: CloudEvent<UserRegistered>): Promise<void> =>
  createProfile(tx, { id: subject, ...data });
