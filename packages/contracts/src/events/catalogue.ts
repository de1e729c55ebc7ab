import * as billing from './billing.ts';
import * as credits from './credits.ts';
import type { Emitter, EventType } from './define.ts';
import * as identity from './identity.ts';
import * as profile from './profile.ts';

/** An event and its consumers. docs/events.md is generated from this list; a check compares it with each service's handlers. */
export type CatalogueEntry = { event: EventType<never>; consumedBy: readonly ConsumerName[] };
export type ConsumerName = 'profile' | 'billing' | 'credits' | 'worker' | 'bff';

/** Every consumer of a topic reads each of its events, so there is none that nobody needs. */
const entry = <Data>(
  event: EventType<Data>,
  ...consumedBy: [ConsumerName, ...ConsumerName[]]
): CatalogueEntry => ({
  event: event as unknown as EventType<never>, // the list contains events of different data; each schema checks its own
  consumedBy,
});

export const eventCatalogue: readonly CatalogueEntry[] = [
  entry(identity.accessEnded, 'profile', 'billing', 'credits', 'worker'),
  entry(identity.sessionsEnded, 'bff'),
  entry(identity.userRegistered, 'profile', 'billing', 'worker'),
  entry(identity.registrationRequested, 'worker'),
  entry(identity.passwordChanged, 'worker', 'bff'),
  entry(identity.passwordResetRequested, 'worker'),
  entry(identity.emailVerificationRequested, 'worker'),
  entry(identity.emailVerified, 'bff'),
  entry(identity.userDeleted, 'profile', 'billing', 'credits', 'worker', 'bff'),
  entry(identity.deletionRequested, 'worker', 'bff'),
  entry(identity.deletionApproaching, 'worker'),
  entry(identity.deletionCancelled, 'worker', 'bff'),
  entry(identity.confirmationReminded, 'worker'),
  entry(identity.dataExportRequested, 'worker', 'bff'),
  entry(identity.dataExportProgressed, 'bff'),
  entry(identity.dataExportReady, 'worker', 'bff'),
  entry(identity.emailChangeRequested, 'worker'),
  entry(identity.emailChangeStarted, 'worker'),
  entry(identity.takenEmailRequested, 'worker'),
  entry(identity.emailChanged, 'profile', 'billing', 'worker', 'bff'),
  entry(identity.factorAdded, 'worker'),
  entry(identity.factorRemoved, 'worker', 'bff'),
  entry(identity.recoveryCodesRenewed, 'worker'),
  entry(identity.recoveryCodeUsed, 'worker'),
  entry(identity.adminInvited, 'worker'),
  entry(identity.adminAccessChanged, 'profile', 'bff'),
  entry(identity.ownerAdded, 'worker'),
  entry(identity.loginLocked, 'worker'),
  entry(identity.secondFactorsRefused, 'worker'),
  entry(identity.newDeviceUsed, 'worker'),
  entry(identity.apiKeyCreated, 'worker', 'bff'),
  entry(identity.apiKeyRevoked, 'bff'),
  entry(identity.webhookCreated, 'worker', 'bff'),
  entry(identity.webhookFailing, 'worker', 'bff'),
  entry(identity.webhookStopped, 'worker', 'bff'),
  entry(identity.connectionCreated, 'worker', 'bff'),
  entry(identity.connectionEnded, 'worker', 'bff'),
  entry(identity.toolDisabled, 'bff'),
  entry(profile.profileUpdated, 'billing', 'bff'),
  entry(profile.noticeChanged, 'bff'),
  entry(billing.paymentSucceeded, 'profile', 'credits', 'worker', 'bff'),
  entry(billing.receiptRequested, 'worker'),
  entry(billing.paymentFailed, 'profile', 'credits', 'worker', 'bff'),
  entry(billing.paymentRefunded, 'profile', 'credits', 'worker', 'bff'),
  entry(billing.planGranted, 'profile', 'credits', 'worker', 'bff'),
  entry(billing.planRevoked, 'profile', 'credits', 'worker', 'bff'),
  entry(billing.renewalStopped, 'worker'),
  entry(billing.renewalResumed, 'worker'),
  entry(billing.cardExpiring, 'worker'),
  entry(billing.trialEnding, 'worker'),
  entry(billing.subscriptionChanged, 'profile', 'credits', 'worker', 'bff'),
  entry(billing.creditPackChanged, 'credits', 'worker', 'bff'),
  entry(billing.alertRaised, 'worker'),
  entry(credits.creditsReset, 'worker', 'bff'),
  entry(credits.creditsSpent, 'bff'),
  entry(credits.creditReleased, 'bff'),
  entry(credits.creditsLow, 'worker', 'bff'),
  entry(credits.creditsExhausted, 'worker', 'bff'),
  entry(credits.creditsGranted, 'worker', 'bff'),
  entry(credits.creditBucketChanged, 'bff'),
  entry(credits.balanceChanged, 'worker'),
];

/** The topics of the events that a service emits. */
export const topicsOf = (emitter: Emitter): string[] => [
  ...new Set(eventCatalogue.filter(({ event }) => event.emitter === emitter).map(({ event }) => event.topic)),
];
