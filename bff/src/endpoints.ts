// The public API: every endpoint, who may call it, and what responds. docs/architecture.md describes the steps before that.
import { STRIPE_WEBHOOK_BYTES, STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { forStrangers, type PublicEndpoint } from '@shortlist/contracts/api/operation';
import { SENDGRID_WEBHOOK_BYTES, SENDGRID_WEBHOOK_PATH } from '@shortlist/contracts/api/email';
import { minutes } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import type { ServicePool } from '@shortlist/kit/http/service-pool';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { type Config, configuredPrice, publicConfig } from './config.ts';
import { ownApiKeyEndpoints, ownConnectionEndpoints, userAccessEndpoints } from './handlers/connections.ts';
import { auditEndpoints } from './handlers/audit-log.ts';
import { buyPackEndpoints, creditGrantEndpoint, historyExportEndpoint } from './handlers/credits.ts';
import { deviceEndpoints } from './handlers/devices.ts';
import { editUserEndpoint } from './handlers/edit-user.ts';
import { changeEmailEndpoints, emailChangeLinkEndpoints } from './handlers/email-change.ts';
import { ownFactorEndpoints } from './handlers/factors.ts';
import { liveEndpoint, type LiveUpdates } from './handlers/live-updates.ts';
import { adminTeamEndpoints, disableToolEndpoint, systemEndpoint } from './handlers/administration.ts';
import { passwordEndpoints } from './handlers/passwords.ts';
import { deletionEndpoints } from './handlers/privacy.ts';
import { configEndpoint, createOfferPrice } from './handlers/public-config.ts';
import {
  createAssertVerified,
  emailAvailabilityEndpoint,
  emailEndpoints,
  signUpEndpoint,
} from './handlers/sign-up.ts';
import { creditsEndpoint, subscriptionEndpoints } from './handlers/subscription.ts';
import { suppressedEmailEndpoints } from './handlers/suppressions.ts';
import { sessionCheckEndpoints, standingEndpoint, userEndpoints, viewingEndpoint } from './handlers/users.ts';
import { ownWebhookEndpoints } from './handlers/webhooks.ts';
import type { KeyStore } from './api-keys/key-store.ts';
import type { Route } from './http/endpoint.ts';
import { isPassedOn, type PassedOn, type PassOn } from './http/proxied.ts';
import { createAttemptLimit, NETWORK_HOLD_MS } from './limits/attempt-limit.ts';
import {
  createDeviceCookie,
  createLoginLimits,
  type DeviceCookie,
  type LoginLimits,
} from './limits/login-limits.ts';
import {
  createChangeLimits,
  createResendLimits,
  createResetLimits,
  createSignupLimits,
  type ResetLimits,
} from './limits/mail-limits.ts';
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
import type { Proofs } from './proofs/proofs.ts';
import type { Binding } from './session/credentials.ts';
import type { Sessions } from './session/sessions.ts';
import type { Xsrf } from './session/xsrf.ts';
import type { Services } from './services.ts';

type Parts = {
  config: Config;
  log: Log;
  redis: Redis;
  sessions: Sessions;
  keyStore: KeyStore;
  services: Services;
  passOn: PassOn;
  liveUpdates: LiveUpdates;
  xsrf: Xsrf;
  proofs: Proofs;
  binding: Binding;
  findPlace: FindPlace;
  pool: ServicePool;
  sign: TokenSigner;
  countLogIn: CountLogIn;
  clock: Clock;
};

const STREAM = { body: 'stream', crossSiteCheck: false, reply: 'text' } as const;
const PICTURE_PATH = `${publicPaths.pictures}:name` as const;

/** What a service responds to as it arrives: a picture, and the webhooks of Stripe and SendGrid, which read the status alone. */
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

/** Prompts and log-ins of one network in a minute. */
const PASSKEY_LOG_IN = {
  name: 'passkey-log-in',
  windowMs: minutes(1),
  withoutRedis: 'refuse',
  holdMs: NETWORK_HOLD_MS,
} as const;

type EmailParts = {
  loginLimits: LoginLimits;
  resetLimits: ResetLimits;
  deviceCookie: DeviceCookie;
};

/** The confirmation of an address, and its change. */
const emailAddressEndpoints = (
  { config, services, sessions, keyStore, redis, log, proofs, clock }: Parts,
  { loginLimits, resetLimits, deviceCookie }: EmailParts,
): Route[] => {
  const changeLimits = createChangeLimits(redis, config.SIGNUP_LIMIT);
  return [
    ...suppressedEmailEndpoints({
      services,
      log,
      retryLimits: createResendLimits(redis, 'email-retry'),
      changeLimits,
    }),
    ...emailEndpoints({
      services,
      log,
      resetLimits,
      resendLimits: createResendLimits(redis, 'resend'),
      deviceCookie,
    }),
    ...changeEmailEndpoints({
      services,
      loginLimits,
      proofs,
      clock,
      changeLimits,
    }),
    ...emailChangeLinkEndpoints({
      services,
      sessions,
      keyStore,
      loginLimits,
      resetLimits,
      deviceCookie,
      log,
    }),
  ];
};

export const createEndpoints = (parts: Parts): Route[] => {
  const { config, log, redis, sessions, keyStore, services, passOn } = parts;
  const { liveUpdates, xsrf, binding, proofs, clock } = parts;
  const { XSRF_KEY: key, PUBLIC_URL: publicUrl } = config;
  const requestCookie = createRequestCookie({ key, publicUrl });
  const deviceCookie = createDeviceCookie({ redis, key, publicUrl, clock });
  const passkeyLimit = createAttemptLimit(redis, { ...PASSKEY_LOG_IN, attempts: config.LOGIN_LIMIT });
  const readPrice = createOfferPrice({ services, configured: configuredPrice(config), log });
  const loginLimits = createLoginLimits(redis, config.LOGIN_LIMIT);
  const logIn = { ...parts, deviceCookie, limits: loginLimits };
  const resetLimits = createResetLimits(redis, config.SIGNUP_LIMIT);
  const verifiedActions = config.REQUIRE_VERIFIED_EMAIL.split(',');
  const assertVerified = createAssertVerified(services, verifiedActions);
  const composed = [
    ...sessionCheckEndpoints(services),
    ...passwordLogInEndpoints(logIn),
    ...secondStepEndpoints(logIn),
    ...passkeyLogInEndpoints({ ...logIn, passkeyLimit }),
    ...reauthenticationEndpoints({ services, sessions, proofs }),
    ...ownFactorEndpoints({
      ...parts,
      brand: config.BRAND,
      origin: new URL(config.PUBLIC_URL).origin,
    }),
    ...adminTeamEndpoints({ services, sessions, resetLimits }),
    disableToolEndpoint(services, keyStore),
    viewingEndpoint({ services, sessions, xsrf }),
    ...deviceEndpoints({ services, sessions, keyStore, binding, proofs, log }),
    ...passwordEndpoints({
      services,
      sessions,
      keyStore,
      loginLimits,
      resetLimits,
      deviceCookie,
      proofs,
      clock,
    }),
    ...emailAddressEndpoints(parts, { loginLimits, resetLimits, deviceCookie }),
    signUpEndpoint({
      services,
      log,
      limits: createSignupLimits(redis, config.SIGNUP_LIMIT),
      termsVersion: config.TERMS_VERSION || null,
      logInNewUser:
        config.LOG_IN_AFTER_SIGN_UP === 'direct'
          ? (exchange, credentials) => logInNewUser(logIn, exchange, credentials)
          : null,
    }),
    emailAvailabilityEndpoint(services, redis),
    editUserEndpoint({ services, sessions, loginLimits, resetLimits, deviceCookie, proofs, clock }),
    ...userEndpoints({ services, sessions, keyStore, log }),
    standingEndpoint({
      services,
      log,
      loginLimits,
      needsVerified: verifiedActions.includes('checkout'),
      clock,
    }),
    ...deletionEndpoints({ services, sessions, keyStore }),
    ...subscriptionEndpoints({ services, log, xsrf, assertVerified }),
    creditsEndpoint(services),
    creditGrantEndpoint(services),
    ...buyPackEndpoints({ services, assertVerified }),
    historyExportEndpoint(services),
    ...userAccessEndpoints({ services, keyStore }),
    ...ownConnectionEndpoints({ ...parts, assertVerified, requestCookie }),
    ...oauthEndpoints({ ...parts, requestCookie, refreshTokens: createRefreshTokens(key) }),
    ...ownApiKeyEndpoints({ ...parts, environment: config.API_KEY_ENVIRONMENT, assertVerified }),
    ...ownWebhookEndpoints({ services, redis, assertVerified }),
    ...auditEndpoints(services),
    systemEndpoint(services),
    configEndpoint({ config: publicConfig(config), readPrice, xsrf }),
    liveEndpoint(liveUpdates),
  ];
  return [...composed, ...[...passedOnBeside(composed), ...STREAMED].map(passOn)];
};
