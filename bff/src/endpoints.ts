// The public API: every endpoint, who may call it, and what responds. docs/architecture.md describes the steps before that.
import { STRIPE_WEBHOOK_BYTES, STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { forStrangers, type PublicEndpoint } from '@shortlist/contracts/api/operation';
import { SENDGRID_WEBHOOK_BYTES, SENDGRID_WEBHOOK_PATH } from '@shortlist/contracts/api/email';
import type { Redis } from '@shortlist/kit/data/redis';
import type { Health } from '@shortlist/kit/http/health';
import type { ServicePool } from '@shortlist/kit/http/service-pool';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import type { Bus } from '@shortlist/kit/messaging/bus';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { type Config, configuredPrice, publicConfig } from './config.ts';
import { sessionHandlers } from './consumers.ts';
import { ownApiKeyEndpoints, ownConnectionEndpoints, userAccessEndpoints } from './handlers/connections.ts';
import { auditEndpoints } from './handlers/audit-log.ts';
import { bulkJobEndpoints } from './handlers/bulk-jobs.ts';
import { buyPackEndpoints, creditGrantEndpoint, historyExportEndpoint } from './handlers/credits.ts';
import { deviceEndpoints } from './handlers/devices.ts';
import { editUserEndpoint } from './handlers/edit-user.ts';
import { changeEmailEndpoints, emailChangeLinkEndpoints } from './handlers/email-change.ts';
import { ownFactorEndpoints } from './handlers/factors.ts';
import { liveEndpoint, type LiveUpdates } from './handlers/live-updates.ts';
import { mailEndpoints } from './handlers/mails.ts';
import { adminTeamEndpoints, disableToolEndpoint, systemEndpoint } from './handlers/administration.ts';
import { userNoteEndpoints } from './handlers/notes.ts';
import { paymentEndpoint } from './handlers/payments.ts';
import { passwordEndpoints } from './handlers/passwords.ts';
import { deletionEndpoints } from './handlers/privacy.ts';
import { configEndpoint, createOfferPrices } from './handlers/public-config.ts';
import {
  createAssertVerified,
  emailAvailabilityEndpoint,
  emailEndpoints,
  signUpEndpoint,
} from './handlers/sign-up.ts';
import { creditsEndpoint, subscriptionEndpoints } from './handlers/subscription.ts';
import { suppressedEmailEndpoints } from './handlers/suppressions.ts';
import { systemStatusEndpoints } from './handlers/system.ts';
import { timelineEndpoint } from './handlers/timeline.ts';
import {
  sessionCheckEndpoints,
  accountStatusEndpoint,
  userEndpoints,
  viewingEndpoint,
} from './handlers/users.ts';
import { paymentSearchEndpoints, userSearchEndpoints } from './handlers/user-search.ts';
import { ownWebhookEndpoints } from './handlers/webhooks.ts';
import type { KeyStore } from './api-keys/key-store.ts';
import type { Route } from './http/endpoint.ts';
import { isPassedOn, type PassedOn, type PassOn } from './http/proxied.ts';
import { createLimits } from './limits/limits.ts';
import type { DeviceCookie } from './limits/login-limits.ts';
import type { CountLogIn } from './log-in/begin-session.ts';
import type { FindPlace } from './http/sign-in-origin.ts';
import {
  logInNewUser,
  passkeyLogInEndpoints,
  passwordLogInEndpoints,
  secondStepEndpoints,
} from './log-in/log-in.ts';
import { reauthenticationEndpoints } from './log-in/reauthenticate.ts';
import { oauthEndpoints } from './oauth/authorization-server.ts';
import { createRefreshTokens } from './oauth/refresh-tokens.ts';
import { createRequestCookie } from './oauth/request-cookie.ts';
import { userActivityEndpoint } from './handlers/user-activity.ts';
import type { Proofs } from './proofs/proofs.ts';
import type { Binding } from './session/credentials.ts';
import type { Sessions } from './session/sessions.ts';
import type { Xsrf } from './session/xsrf.ts';
import type { Services } from './services.ts';

/** What carries calls to the services. */
type Upstream = { services: Services; passOn: PassOn; pool: ServicePool; sign: TokenSigner };

/** What sessions and the keys of apps are made of, and what proves who sends a request. */
type Access = {
  sessions: Sessions;
  keyStore: KeyStore;
  xsrf: Xsrf;
  binding: Binding;
  deviceCookie: DeviceCookie;
  proofs: Proofs;
};

/** What a log-in leaves in the history and in the metrics. */
type SignInLog = { findPlace: FindPlace; countLogIn: CountLogIn };

type Process = {
  config: Config;
  log: Log;
  clock: Clock;
  redis: Redis;
  liveUpdates: LiveUpdates;
  bus: Bus;
  health: Health;
};

const STREAM = { body: 'stream', crossSiteCheck: false, reply: 'text' } as const;
const PICTURE_PATH = `${publicPaths.pictures}:name` as const;

/** Requests that a service gets as they arrive: a picture, and the webhooks of Stripe and SendGrid, which read only the status. */
const STREAMED: readonly PassedOn[] = [
  {
    ...forStrangers(`GET ${PICTURE_PATH}`, { body: 'stream', reply: 'bytes' }),
    operation: { service: 'profile', path: PICTURE_PATH, self: null },
    hasQuery: false,
  },
  {
    ...forStrangers(`POST ${publicPaths.stripeWebhook}`, { ...STREAM, bodyBytes: STRIPE_WEBHOOK_BYTES }),
    operation: { service: 'billing', path: STRIPE_WEBHOOK_PATH, self: null },
  },
  {
    ...forStrangers(`POST ${publicPaths.sendgridWebhook}`, { ...STREAM, bodyBytes: SENDGRID_WEBHOOK_BYTES }),
    operation: { service: 'worker', path: SENDGRID_WEBHOOK_PATH, self: null },
  },
];

/** The addresses of operations whose response nothing here composes. */
const passedOnBeside = (composed: readonly Route[]): PassedOn[] => {
  const served = new Set(composed.map(({ method, path }) => `${method} ${path}`));
  return (Object.values(publicEndpoints) as PublicEndpoint<never, unknown>[])
    .filter(isPassedOn)
    .filter(({ method, path }) => !served.has(`${method} ${path}`));
};

const consumedTopics = ({ sessions, keyStore }: Access): string[] => [
  ...new Set(sessionHandlers(sessions, keyStore).map(({ event }) => event.topic)),
];

export const createEndpoints = (
  { config, log, clock, redis, liveUpdates, bus, health }: Process,
  { services, passOn, pool, sign }: Upstream,
  access: Access,
  signInLog: SignInLog,
): Route[] => {
  const { sessions, keyStore, xsrf, binding, deviceCookie, proofs } = access;
  const { findPlace } = signInLog;
  const { XSRF_KEY: keys, PUBLIC_URL: publicUrl, BRAND: brand, API_KEY_ENVIRONMENT: environment } = config;
  const requestCookie = createRequestCookie({ keys, publicUrl });
  const refreshTokens = createRefreshTokens(keys);
  const readPrices = createOfferPrices({ services, configured: configuredPrice(config), log });
  const limits = createLimits(redis, config);
  const logIn = { ...access, ...signInLog, services, log, limits };
  const verifiedActions = config.REQUIRE_VERIFIED_EMAIL.split(',');
  const needsVerified = verifiedActions.includes('checkout');
  const assertVerified = createAssertVerified(services, verifiedActions);
  const newPassword = { services, sessions, limits, deviceCookie, proofs, clock };
  const system = { services, redis, log, clock, bus, health };
  const composed = [
    ...sessionCheckEndpoints(services),
    ...passwordLogInEndpoints(logIn),
    ...secondStepEndpoints(logIn),
    ...passkeyLogInEndpoints(logIn),
    ...reauthenticationEndpoints({ services, sessions, proofs }),
    ...ownFactorEndpoints({ services, sessions, keyStore, proofs, brand, origin: new URL(publicUrl).origin }),
    ...adminTeamEndpoints({ services, sessions, limits }),
    disableToolEndpoint(services, keyStore),
    ...userSearchEndpoints(services, passOn),
    ...paymentSearchEndpoints(services, passOn),
    paymentEndpoint(services),
    viewingEndpoint({ services, sessions, xsrf }),
    ...deviceEndpoints({ services, sessions, keyStore, binding, proofs, log }),
    ...passwordEndpoints({ ...newPassword, keyStore }),
    ...suppressedEmailEndpoints({ services, log, limits }),
    ...emailEndpoints({ services, log, limits, deviceCookie }),
    ...mailEndpoints({ services, limits }),
    ...changeEmailEndpoints({ services, limits, proofs, clock }),
    ...emailChangeLinkEndpoints({ services, sessions, keyStore, limits, deviceCookie, log }),
    signUpEndpoint({
      services,
      log,
      limits,
      termsVersion: config.TERMS_VERSION || null,
      logInNewUser:
        config.LOG_IN_AFTER_SIGN_UP === 'direct'
          ? (exchange, credentials) => logInNewUser(logIn, exchange, credentials)
          : null,
    }),
    emailAvailabilityEndpoint(services, redis),
    editUserEndpoint(newPassword),
    ...userEndpoints({ services, sessions, keyStore, log }),
    userActivityEndpoint({ services, sessions, log }),
    accountStatusEndpoint({ services, log, limits, needsVerified, clock }),
    ...userNoteEndpoints({ services, log }),
    ...bulkJobEndpoints({ services, log }),
    ...deletionEndpoints({ services, sessions, keyStore }),
    ...subscriptionEndpoints({ services, log, limits, xsrf, assertVerified }),
    creditsEndpoint(services),
    creditGrantEndpoint(services),
    ...buyPackEndpoints({ services, assertVerified }),
    historyExportEndpoint(services),
    ...userAccessEndpoints({ services, keyStore }),
    ...ownConnectionEndpoints({ services, keyStore, redis, assertVerified, findPlace, requestCookie }),
    ...oauthEndpoints({ redis, pool, sign, findPlace, requestCookie, refreshTokens }),
    ...ownApiKeyEndpoints({ services, keyStore, redis, environment, assertVerified }),
    ...ownWebhookEndpoints({ services, redis, assertVerified }),
    ...auditEndpoints(services),
    timelineEndpoint({ services, log }),
    systemEndpoint(services, config.VERSION),
    ...systemStatusEndpoints({ ...system, version: config.VERSION, topics: consumedTopics(access) }),
    configEndpoint({ config: publicConfig(config), readPrices, xsrf }),
    liveEndpoint(liveUpdates),
  ];
  return [...composed, ...[...passedOnBeside(composed), ...STREAMED].map(passOn)];
};
