import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserRegistered } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { createProfile } from './create-profile.ts';

/** Creates the profile when the sign-up's own request did not. */
export const onUserRegistered = (tx: Tx, { subject, data }: CloudEvent<UserRegistered>): Promise<void> =>
  createProfile(tx, { id: subject, ...data });
