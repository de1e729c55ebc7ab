import * as billing from '@shortlist/contracts/events/billing';
import * as credits from '@shortlist/contracts/events/credits';
import type { EventType } from '@shortlist/contracts/events/define';
import { passwordChanged, userDeleted } from '@shortlist/contracts/events/identity';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { on, type EventHandlers } from '@shortlist/kit/messaging/event-handlers';
import type { Area, LiveUpdates } from './live/live-pages.ts';
import type { Sessions } from './session/sessions.ts';

/** Heard by one of all bff processes: sessions lie in Redis, where ending them once ends them for all. */
export const sessionHandlers = (sessions: Sessions): EventHandlers => [
  on(passwordChanged, ({ subject, time }) => sessions.endAllBefore(subject, new Date(time))),
  on(userDeleted, ({ subject, time }) => sessions.endAllBefore(subject, new Date(time))),
];

/** Heard by each bff process: the pages that are open are its own. */
export const liveUpdateHandlers = (pages: LiveUpdates): EventHandlers => {
  const stale = <Data>(event: EventType<Data>, ...areas: Area[]) =>
    on(event, ({ subject }) => Promise.resolve(pages.tell(subject, areas)));
  return [
    stale(profileUpdated, 'profile'),
    stale(billing.paymentSucceeded, 'subscription', 'credits'),
    stale(billing.paymentFailed, 'subscription'),
    stale(billing.paymentRefunded, 'subscription', 'credits'),
    stale(billing.planGranted, 'subscription', 'credits'),
    stale(billing.planRevoked, 'subscription', 'credits'),
    stale(billing.subscriptionChanged, 'subscription', 'credits'),
    stale(credits.creditsReset, 'credits'),
    stale(credits.creditsSpent, 'credits'),
    stale(credits.creditsExhausted, 'credits'),
  ];
};
