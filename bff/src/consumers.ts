import * as billing from '@shortlist/contracts/events/billing';
import * as credits from '@shortlist/contracts/events/credits';
import type { EventType } from '@shortlist/contracts/events/define';
import {
  adminAccessChanged,
  apiKeyCreated,
  apiKeyRevoked,
  connectionCreated,
  connectionEnded,
  dataExportProgressed,
  dataExportReady,
  dataExportRequested,
  deletionCancelled,
  deletionRequested,
  emailChanged,
  emailVerified,
  factorRemoved,
  passwordChanged,
  sessionsEnded,
  toolDisabled,
  userDeleted,
  webhookCreated,
  webhookFailing,
  webhookStopped,
} from '@shortlist/contracts/events/identity';
import type { Area } from '@shortlist/contracts/api/public';
import { noticeChanged, profileUpdated } from '@shortlist/contracts/events/profile';
import { type EventHandlers, on, onNotice } from '@shortlist/kit/messaging/handle-batch';
import { endAccess, type KeyStore } from './api-keys/key-store.ts';
import type { LiveUpdates } from './handlers/live-updates.ts';
import type { Sessions } from './session/sessions.ts';

/** Consumed once by all bff processes together: sessions, and what API keys may do, are in Redis. */
export const sessionHandlers = (sessions: Sessions, keyStore: KeyStore): EventHandlers => [
  // Before or after the process that made the change has ended the others itself: its own session stays.
  on(passwordChanged, ({ subject, data }) =>
    sessions.endAllBefore(subject, data.generation, data.keptSessionId),
  ),
  on(sessionsEnded, ({ subject, data }) => endAccess({ sessions, keyStore }, subject, data.generation)),
  on(deletionRequested, ({ subject, data }) => endAccess({ sessions, keyStore }, subject, data.generation)),
  on(deletionCancelled, ({ subject }) => keyStore.forget(subject)),
  on(apiKeyRevoked, ({ subject }) => keyStore.forget(subject)),
  // Long before the connections of the app, of which there may be thousands, have ended.
  on(toolDisabled, ({ subject, data }) => keyStore.disableTool(subject, data.generation)),
  on(connectionEnded, ({ subject }) => keyStore.forget(subject)),
  on(emailChanged, ({ subject, data }) =>
    sessions.endAllBefore(subject, data.generation, data.keptSessionId),
  ),
  on(userDeleted, ({ subject, data }) => endAccess({ sessions, keyStore }, subject, data.generation)),
  on(adminAccessChanged, async ({ subject, data: { role, version, generation } }) => {
    await sessions.setAccess(subject, { role, version });
    await sessions.endAllBefore(subject, generation);
  }),
  on(factorRemoved, ({ subject, data }) => sessions.endAllBefore(subject, data.generation)),
];

/** Consumed by every bff process: each notifies the pages that are connected to it. */
export const liveUpdateHandlers = (liveUpdates: LiveUpdates): EventHandlers => {
  const stale = <Data>(event: EventType<Data>, ...areas: Area[]) =>
    onNotice(event, (subject) => liveUpdates.notify(subject, areas));
  return [
    stale(emailVerified, 'profile'),
    stale(emailChanged, 'profile'),
    stale(profileUpdated, 'profile'),
    onNotice(noticeChanged, () => liveUpdates.notifyUsers(['notices'])),
    stale(dataExportRequested, 'privacy'),
    stale(dataExportProgressed, 'privacy'),
    stale(dataExportReady, 'privacy'),
    stale(apiKeyCreated, 'connections'),
    stale(apiKeyRevoked, 'connections'),
    stale(webhookCreated, 'connections'),
    stale(webhookFailing, 'connections'),
    stale(webhookStopped, 'connections'),
    stale(connectionCreated, 'connections'),
    stale(connectionEnded, 'connections'),
    stale(billing.paymentSucceeded, 'subscription', 'credits'),
    stale(billing.paymentFailed, 'subscription'),
    stale(billing.paymentRefunded, 'subscription', 'credits'),
    stale(billing.planGranted, 'subscription', 'credits'),
    stale(billing.planRevoked, 'subscription', 'credits'),
    stale(billing.subscriptionChanged, 'subscription', 'credits'),
    stale(billing.creditPackChanged, 'subscription', 'credits'),
    stale(credits.creditsReset, 'credits'),
    stale(credits.creditsSpent, 'credits'),
    stale(credits.creditReleased, 'credits'),
    stale(credits.creditsLow, 'credits'),
    stale(credits.creditsExhausted, 'credits'),
    stale(credits.creditsGranted, 'credits'),
    stale(credits.creditBucketChanged, 'credits'),
  ];
};
