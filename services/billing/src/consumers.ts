import { emailChanged, userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { on, type EventHandlers, onOnce } from '@shortlist/kit/messaging/handle-batch';
import { handleOnce } from '@shortlist/kit/messaging/inbox';
import { onEmailChanged } from './subscriptions/on-email-changed.ts';
import { onProfileUpdated } from './subscriptions/on-profile-updated.ts';
import { onUserRegistered } from './subscriptions/on-user-registered.ts';
import { closeDeletedUser } from './sync/close-deleted.ts';
import type { SyncParts } from './sync/event-action.ts';
import { onUserDeleted } from './sync/on-user-deleted.ts';
import { pushEmail } from './sync/push-email.ts';

/** Every event that billing consumes. */
export const billingHandlers = (parts: SyncParts): EventHandlers => {
  const context = { db: parts.db, clock: parts.clock, consumer: 'billing' };
  const once = onOnce(context);
  return [
    once(userRegistered, onUserRegistered),
    once(profileUpdated, onProfileUpdated),
    on(emailChanged, async (event) => {
      await handleOnce(context, event, onEmailChanged);
      await pushEmail(parts, event.subject);
    }),
    on(userDeleted, async (event) => {
      await handleOnce(context, event, onUserDeleted);
      // After the commit, since it calls Stripe.
      await closeDeletedUser(parts, event.subject);
    }),
  ];
};
