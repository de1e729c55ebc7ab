import { userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { hear, type Hearings, hearOnce } from '@shortlist/kit/hearings';
import { handleOnce } from '@shortlist/kit/inbox';
import type { ProcessParts } from './stripe/process-event.ts';
import { cancelDeletedUser } from './subscriptions/cancel-deleted.ts';
import { onProfileUpdated } from './subscriptions/on-profile-updated.ts';
import { onUserDeleted } from './subscriptions/on-user-deleted.ts';
import { onUserRegistered } from './subscriptions/on-user-registered.ts';

/** All that billing hears. */
export const billingHearings = (parts: ProcessParts): Hearings => {
  const once = { db: parts.db, clock: parts.clock, hearer: 'billing' };
  const heard = hearOnce(once);
  return [
    heard(userRegistered, onUserRegistered),
    heard(profileUpdated, onProfileUpdated),
    hear(userDeleted, async (fact) => {
      await handleOnce(once, fact, onUserDeleted);
      // Asked of the provider after the commit; reconciliation asks again for what could not be ended now.
      await cancelDeletedUser(parts, fact.subject).catch((error: unknown) =>
        parts.log.warn({ err: error }, 'not canceled yet'),
      );
    }),
  ];
};
