// The public API: every endpoint, who may call it, and what responds. docs/architecture.md describes the steps before that.
import type { Permission } from '@shortlist/contracts/admin-permissions';
import {
  billingEndpoints,
  STRIPE_WEBHOOK_BYTES,
  STRIPE_WEBHOOK_PATH,
} from '@shortlist/contracts/api/billing';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import type { Redis } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { liveEndpoint, type LiveUpdates } from './handlers/live-updates.ts';
import { type Config, configuredPrice, publicConfig } from './config.ts';
import { createAttemptLimit, NETWORK_HOLD_MS } from './limits/attempt-limit.ts';
import {
  createChangeLimits,
  createResendLimits,
  createResetLimits,
  createSignupLimits,
  type ResetLimits,
} from './limits/mail-limits.ts';
import { createDeviceCookie, type DeviceCookie } from './limits/device-cookie.ts';
import { createLoginLimits, type LoginLimits } from './limits/login-limits.ts';
import { auditLogEndpoint, systemEndpoint } from './handlers/operations.ts';
import { configEndpoint, createOfferPrice } from './handlers/public-config.ts';
import { creditsEndpoint, subscriptionEndpoints } from './handlers/subscription.ts';
import { deviceEndpoints } from './handlers/devices.ts';
import { editUserEndpoint } from './handlers/edit-user.ts';
import { emailAvailabilityEndpoint, signUpEndpoint } from './handlers/sign-up.ts';
import { ownFactorEndpoints, proxiedFactorEndpoints } from './handlers/factors.ts';
import { logInEndpoints, passkeyLogInEndpoints } from './log-in/log-in.ts';
import { emailChangeEndpoints, emailChangeLinkEndpoints } from './handlers/email-change.ts';
import { createAssertVerified, emailEndpoints } from './handlers/emails.ts';
import { privacyEndpoints } from './handlers/privacy.ts';
import { reauthenticationEndpoints } from './log-in/reauthenticate.ts';
import { type CountLogIn, type FindPlace, signInHistoryEndpoints } from './log-in/sign-ins.ts';
import { secondStepEndpoints } from './log-in/second-step.ts';
import { passwordEndpoints } from './handlers/passwords.ts';
import { sessionCheckEndpoints } from './log-in/session-check.ts';
import { proxiedTeamEndpoints, teamEndpoints } from './handlers/team.ts';
import { userEndpoints, viewingEndpoint } from './handlers/users.ts';
import type { createForward, createProxied } from './http/proxied.ts';
import type { PublicEndpoint } from './http/endpoint.ts';
import type { Proofs } from './proofs/proofs.ts';
import type { Binding } from './session/credentials.ts';
import type { Sessions } from './session/sessions.ts';
import type { Xsrf } from './session/xsrf.ts';
import type { Services } from './upstream/services.ts';

type Proxied = ReturnType<typeof createProxied>;
type Forward = ReturnType<typeof createForward>;

type Parts = {
  config: Config;
  log: Log;
  redis: Redis;
  sessions: Sessions;
  services: Services;
  proxied: Proxied;
  forward: Forward;
  liveUpdates: LiveUpdates;
  xsrf: Xsrf;
  proofs: Proofs;
  binding: Binding;
  findPlace: FindPlace;
  countLogIn: CountLogIn;
  clock: Clock;
};

const proxiedEndpoints = (proxied: Proxied, forward: Forward): PublicEndpoint[] => {
  const profile = (path: string, permission: Permission) =>
    ({ to: 'profile', path, roles: ['admin'], permission }) as const;
  return [
    proxied(publicEndpoints.listUsers, profile(profileEndpoints.listDirectory.path, 'users.read')),
    proxied(publicEndpoints.exportUsers, {
      ...profile(profileEndpoints.exportDirectory.path, 'users.export'),
      recent: true,
    }),
    proxied(publicEndpoints.userTotals, profile(profileEndpoints.countDirectory.path, 'users.read')),
    proxied(publicEndpoints.newestUsers, profile(profileEndpoints.listNewest.path, 'users.read')),
    proxied(publicEndpoints.earnings, {
      to: 'billing',
      path: billingEndpoints.earnings.path,
      roles: ['admin'],
      permission: 'revenue.read',
    }),
    proxied(publicEndpoints.resolveAlert, {
      to: 'billing',
      path: billingEndpoints.resolveAlert.path,
      roles: ['admin'],
      permission: 'alerts.resolve',
    }),
    forward(publicEndpoints.creditsHistory, 'credits', creditsEndpoints.listHistory),
    forward(publicEndpoints.chargeCredit, 'credits', creditsEndpoints.spend),
    forward(publicEndpoints.reserveCredit, 'credits', creditsEndpoints.reserve),
    forward(publicEndpoints.commitReservation, 'credits', creditsEndpoints.commitReservation),
    forward(publicEndpoints.releaseReservation, 'credits', creditsEndpoints.releaseReservation),
    proxied(
      { method: 'GET', path: `${publicPaths.pictures}:name` },
      { to: 'profile', path: `${publicPaths.pictures}:name`, roles: 'public', hasQuery: false },
    ),
    proxied(
      { method: 'POST', path: publicPaths.stripeWebhook },
      {
        to: 'billing',
        path: STRIPE_WEBHOOK_PATH,
        roles: 'public',
        crossSiteCheck: false,
        bodyBytes: STRIPE_WEBHOOK_BYTES,
      },
    ),
  ];
};

/** Prompts and log-ins of one network in a minute. */
const PASSKEY_LOG_IN = {
  name: 'passkey-log-in',
  seconds: 60,
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
  { config, services, sessions, redis, log, proofs, clock }: Parts,
  { loginLimits, resetLimits, deviceCookie }: EmailParts,
): PublicEndpoint[] => [
  ...emailEndpoints({
    services,
    log,
    resetLimits,
    resendLimits: createResendLimits(redis, 'resend'),
    deviceCookie,
  }),
  ...emailChangeEndpoints({
    services,
    loginLimits,
    proofs,
    clock,
    changeLimits: createChangeLimits(redis, config.SIGNUP_LIMIT),
  }),
  ...emailChangeLinkEndpoints({ services, sessions, resetLimits, deviceCookie, log }),
];

export const createEndpoints = (parts: Parts): PublicEndpoint[] => {
  const {
    config,
    log,
    redis,
    sessions,
    services,
    proxied,
    forward,
    liveUpdates,
    xsrf,
    binding,
    proofs,
    clock,
  } = parts;
  const { XSRF_KEY: key, PUBLIC_URL: publicUrl } = config;
  const deviceCookie = createDeviceCookie({ redis, key, publicUrl, clock });
  const passkeyLimit = createAttemptLimit(redis, { ...PASSKEY_LOG_IN, attempts: config.LOGIN_LIMIT });
  const readPrice = createOfferPrice({ services, configured: configuredPrice(config), log });
  const loginLimits = createLoginLimits(redis, config.LOGIN_LIMIT);
  const logIn = { ...parts, deviceCookie, limits: loginLimits };
  const resetLimits = createResetLimits(redis, config.SIGNUP_LIMIT);
  const assertVerified = createAssertVerified(services, config.REQUIRE_VERIFIED_EMAIL.split(','));
  return [
    ...sessionCheckEndpoints(services),
    ...logInEndpoints(logIn),
    ...secondStepEndpoints(logIn),
    ...passkeyLogInEndpoints({ ...logIn, passkeyLimit }),
    ...reauthenticationEndpoints({ services, sessions, proofs }),
    ...ownFactorEndpoints({
      ...{ ...parts, brand: config.BRAND },
      origin: new URL(config.PUBLIC_URL).origin,
    }),
    ...proxiedFactorEndpoints(proxied),
    ...signInHistoryEndpoints(services),
    ...teamEndpoints({ services, sessions, resetLimits }),
    ...proxiedTeamEndpoints(proxied),
    viewingEndpoint({ services, sessions, xsrf }),
    ...deviceEndpoints({ services, sessions, binding, proofs }),
    ...passwordEndpoints({ services, sessions, loginLimits, resetLimits, deviceCookie, proofs, clock }),
    ...emailAddressEndpoints(parts, { loginLimits, resetLimits, deviceCookie }),
    signUpEndpoint({
      ...{ services, log, limits: createSignupLimits(redis, config.SIGNUP_LIMIT) },
      termsVersion: config.TERMS_VERSION || null,
    }),
    emailAvailabilityEndpoint(services, redis),
    editUserEndpoint({ services, sessions, loginLimits, resetLimits, deviceCookie, proofs, clock }),
    ...userEndpoints({ services, sessions, log }),
    ...privacyEndpoints({ services, sessions, proxied }),
    ...subscriptionEndpoints({ services, log, xsrf, assertVerified }),
    creditsEndpoint(services),
    auditLogEndpoint(services),
    systemEndpoint(services),
    configEndpoint({ config: publicConfig(config), readPrice, xsrf }),
    liveEndpoint(liveUpdates),
    ...proxiedEndpoints(proxied, forward),
  ];
};
