import * as billing from '@shortlist/contracts/events/billing';
import * as credits from '@shortlist/contracts/events/credits';
import type { FactType } from '@shortlist/contracts/events/define';
import { passwordChanged, userDeleted } from '@shortlist/contracts/events/identity';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { hear, type Hearings } from '@shortlist/kit/hearings';
import type { Area, LivePages } from './live/live-pages.ts';
import type { Sessions } from './session/sessions.ts';

/** Heard by one of all bff processes: sessions lie in Redis, where ending them once ends them for all. */
export const sessionHearings = (sessions: Sessions): Hearings => [
  hear(passwordChanged, ({ subject, time }) => sessions.endAllBefore(subject, new Date(time))),
  hear(userDeleted, ({ subject, time }) => sessions.endAllBefore(subject, new Date(time))),
];

/** Heard by each bff process: the pages that are open are its own. */
export const liveHearings = (pages: LivePages): Hearings => {
  const stale = <Data>(fact: FactType<Data>, ...areas: Area[]) =>
    hear(fact, ({ subject }) => Promise.resolve(pages.tell(subject, areas)));
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
