// The public API: every endpoint, who may call it, and what responds. docs/architecture.md describes the steps before that.
import {
  billingEndpoints,
  STRIPE_WEBHOOK_BYTES,
  STRIPE_WEBHOOK_PATH,
} from '@shortlist/contracts/api/billing';
import { accessEndpoint } from '@shortlist/contracts/api/access';
import { apiKeyEndpoints } from '@shortlist/contracts/api/api-keys';
import { bucketEndpoints } from '@shortlist/contracts/api/credit-buckets';
import { connectionEndpoints, toolEndpoints } from '@shortlist/contracts/api/tools';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { directoryEndpoints } from '@shortlist/contracts/api/directory';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { forStrangers } from '@shortlist/contracts/api/public-endpoint';
import { signInEndpoints } from '@shortlist/contracts/api/sessions';
import { SENDGRID_WEBHOOK_BYTES, SENDGRID_WEBHOOK_PATH } from '@shortlist/contracts/api/suppressions';
import { teamEndpoints } from '@shortlist/contracts/api/team';
import { deliveryEndpoints, webhookEndpoints } from '@shortlist/contracts/api/webhooks';
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
import type { createForward } from './http/proxied.ts';
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

type Forward = ReturnType<typeof createForward>;

type Parts = {
  config: Config;
  log: Log;
  redis: Redis;
  sessions: Sessions;
  keyStore: KeyStore;
  services: Services;
  forward: Forward;
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

const PICTURE = forStrangers<Record<never, never>, Uint8Array>({
  method: 'GET',
  path: `${publicPaths.pictures}:name`,
  reply: null,
  body: 'stream',
});

const STRIPE_WEBHOOK = forStrangers<Record<never, never>, string>({
  method: 'POST',
  path: publicPaths.stripeWebhook,
  reply: null, // Stripe reads the status
  crossSiteCheck: false,
  body: 'stream',
  bodyBytes: STRIPE_WEBHOOK_BYTES,
});

const SENDGRID_WEBHOOK = forStrangers<Record<never, never>, string>({
  method: 'POST',
  path: publicPaths.sendgridWebhook,
  reply: null, // SendGrid reads the status
  crossSiteCheck: false,
  body: 'stream',
  bodyBytes: SENDGRID_WEBHOOK_BYTES,
});

/** The endpoints to which one service responds by itself. */
const forwardedEndpoints = (forward: Forward): Route[] => [
  forward(publicEndpoints.listUsers, 'profile', directoryEndpoints.listDirectory),
  forward(publicEndpoints.exportUsers, 'profile', directoryEndpoints.exportDirectory),
  forward(publicEndpoints.userTotals, 'profile', directoryEndpoints.countDirectory),
  forward(publicEndpoints.newestUsers, 'profile', directoryEndpoints.listNewest),
  forward(publicEndpoints.earnings, 'billing', billingEndpoints.earnings),
  forward(publicEndpoints.resolveAlert, 'billing', billingEndpoints.resolveAlert),
  forward(publicEndpoints.reopenAlert, 'billing', billingEndpoints.reopenAlert),
  forward(publicEndpoints.creditsHistory, 'credits', creditsEndpoints.listHistory),
  forward(publicEndpoints.creditsUsage, 'credits', creditsEndpoints.getUsage),
  forward(publicEndpoints.chargeCredit, 'credits', creditsEndpoints.spend),
  forward(publicEndpoints.reserveCredit, 'credits', creditsEndpoints.reserve),
  forward(publicEndpoints.commitReservation, 'credits', creditsEndpoints.commitReservation),
  forward(publicEndpoints.releaseReservation, 'credits', creditsEndpoints.releaseReservation),
  forward(publicEndpoints.creditMails, 'credits', creditsEndpoints.getCreditMails),
  forward(publicEndpoints.setCreditMails, 'credits', creditsEndpoints.setCreditMails),
  forward(publicEndpoints.access, 'identity', accessEndpoint),
  forward(publicEndpoints.userAccess, 'identity', accessEndpoint),
  forward(publicEndpoints.listApiKeys, 'identity', apiKeyEndpoints.listApiKeys),
  forward(publicEndpoints.listConnections, 'identity', connectionEndpoints.listConnections),
  forward(publicEndpoints.factors, 'identity', factorEndpoints.getFactors),
  forward(publicEndpoints.startTotp, 'identity', factorEndpoints.startTotp),
  forward(publicEndpoints.renewRecoveryCodes, 'identity', factorEndpoints.renewRecoveryCodes),
  forward(publicEndpoints.renamePasskey, 'identity', factorEndpoints.renamePasskey),
  forward(publicEndpoints.webhooks, 'identity', webhookEndpoints.listWebhooks),
  forward(publicEndpoints.changeWebhook, 'identity', webhookEndpoints.changeWebhook),
  forward(publicEndpoints.deleteWebhook, 'identity', webhookEndpoints.deleteWebhook),
  forward(publicEndpoints.rotateWebhookSecret, 'identity', webhookEndpoints.rotateWebhookSecret),
  forward(publicEndpoints.webhookDeliveries, 'worker', deliveryEndpoints.listDeliveries),
  forward(publicEndpoints.userBuckets, 'credits', bucketEndpoints.listBuckets),
  forward(publicEndpoints.revokeCredits, 'credits', bucketEndpoints.revokeCredits),
  forward(publicEndpoints.userFactors, 'identity', factorEndpoints.getFactors),
  forward(publicEndpoints.removeUserFactors, 'identity', factorEndpoints.removeFactors),
  forward(publicEndpoints.ownAdmin, 'identity', identityEndpoints.getAdmin),
  forward(publicEndpoints.renameOwnAdmin, 'identity', identityEndpoints.renameAdmin),
  forward(publicEndpoints.inviteAdmin, 'identity', teamEndpoints.inviteAdmin),
  forward(publicEndpoints.cancelInvitation, 'identity', teamEndpoints.cancelInvitation),
  forward(publicEndpoints.tools, 'identity', toolEndpoints.listTools),
  forward(publicEndpoints.enableTool, 'identity', toolEndpoints.enableTool),
  forward(publicEndpoints.removeAdminFactors, 'identity', teamEndpoints.removeAdminFactors),
  forward(publicEndpoints.listSignIns, 'identity', signInEndpoints.listSignIns),
  forward(publicEndpoints.listUserSignIns, 'identity', signInEndpoints.listSignIns),
  forward(publicEndpoints.deletion, 'identity', privacyEndpoints.getDeletion),
  forward(publicEndpoints.userDeletion, 'identity', privacyEndpoints.getDeletion),
  forward(publicEndpoints.dataExport, 'identity', privacyEndpoints.getDataExport),
  forward(publicEndpoints.requestDataExport, 'identity', privacyEndpoints.requestDataExport),
  forward(publicEndpoints.removeDataExport, 'identity', privacyEndpoints.removeDataExport),
  forward(publicEndpoints.downloadData, 'identity', privacyEndpoints.downloadDataExport),
  forward(PICTURE, 'profile', { path: PICTURE.path, hasQuery: false }),
  forward(STRIPE_WEBHOOK, 'billing', { path: STRIPE_WEBHOOK_PATH }),
  forward(SENDGRID_WEBHOOK, 'worker', { path: SENDGRID_WEBHOOK_PATH }),
];

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
  const { config, log, redis, sessions, keyStore, services, forward } = parts;
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
  return [
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
    ...forwardedEndpoints(forward),
  ];
};
