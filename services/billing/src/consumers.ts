import { accessEnded, emailChanged, userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { onRightEnded } from '@shortlist/kit/data/rights';
import { type EventHandlers, on } from '@shortlist/kit/messaging/handle-batch';
import { handleOnce, onOnce } from '@shortlist/kit/messaging/inbox';
import { onEmailChanged, onProfileUpdated, onUserRegistered } from './subscriptions/follow-user.ts';
import { closeDeletedUser, eraseUser } from './erase-user.ts';
import { pushEmail } from './refresh/push-email.ts';
import type { RefreshParts } from './refresh/refresh-subscriber.ts';

/** Every event that billing consumes. */
export const billingHandlers = (parts: RefreshParts): EventHandlers => {
  const context = { db: parts.db, clock: parts.clock, consumer: 'billing' };
  const once = onOnce(context);
  return [
    once(accessEnded, onRightEnded(parts.clock)),
    once(userRegistered, onUserRegistered),
    once(profileUpdated, onProfileUpdated),
    on(emailChanged, async (event) => {
      await handleOnce(context, event, onEmailChanged);
      await pushEmail(parts, event.subject);
    }),
    on(userDeleted, async (event) => {
      await handleOnce(context, event, eraseUser);
      // After the commit, since it calls Stripe.
      await closeDeletedUser(parts, event.subject);
    }),
  ];
};
