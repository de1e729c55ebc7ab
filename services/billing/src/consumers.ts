import { userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { on, type EventHandlers, onOnce } from '@shortlist/kit/messaging/event-handlers';
import { handleOnce } from '@shortlist/kit/messaging/inbox';
import type { ProcessParts } from './stripe/process-event.ts';
import { cancelDeletedUser } from './subscriptions/cancel-deleted.ts';
import { onProfileUpdated } from './subscriptions/on-profile-updated.ts';
import { onUserDeleted } from './subscriptions/on-user-deleted.ts';
import { onUserRegistered } from './subscriptions/on-user-registered.ts';

/** All that billing hears. */
export const billingHandlers = (parts: ProcessParts): EventHandlers => {
  const once = { db: parts.db, clock: parts.clock, consumer: 'billing' };
  const heard = onOnce(once);
  return [
    heard(userRegistered, onUserRegistered),
    heard(profileUpdated, onProfileUpdated),
    on(userDeleted, async (event) => {
      await handleOnce(once, event, onUserDeleted);
      // Asked of the provider after the commit; reconciliation asks again for what could not be ended now.
      await cancelDeletedUser(parts, event.subject).catch((error: unknown) =>
        parts.log.warn({ err: error }, 'not canceled yet'),
      );
    }),
  ];
};
