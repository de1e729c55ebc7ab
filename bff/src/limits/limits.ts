import { hours, minutes } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import type { Config } from '../config.ts';
import { createAttemptLimit, NETWORK_HOLD_MS } from './attempt-limit.ts';
import { createLoginLimits } from './login-limits.ts';
import {
  createChangeLimits,
  createResendLimits,
  createResetLimits,
  createSignupLimits,
} from './mail-limits.ts';

/** Prompts and log-ins of one network in a minute. */
const PASSKEY_LOG_IN = {
  name: 'passkey-log-in',
  windowMs: minutes(1),
  withoutRedis: 'refuse',
  holdMs: NETWORK_HOLD_MS,
} as const;

/** What one user may have read or changed at the payment provider in an hour: each costs up to twenty calls of a shared budget. */
const AT_PROVIDER = {
  name: 'at-provider',
  attempts: 60,
  windowMs: hours(1),
  withoutRedis: 'allow',
} as const;

/** Examples of emails that one admin has sent in an hour. */
const EXAMPLES = {
  name: 'example-mails',
  attempts: 30,
  windowMs: hours(1),
  withoutRedis: 'refuse',
} as const;

type Limited = Pick<Config, 'LOGIN_LIMIT' | 'SIGNUP_LIMIT'>;

/** The limits that more than one endpoint counts against. */
export const createLimits = (redis: Redis, { LOGIN_LIMIT, SIGNUP_LIMIT }: Limited) => ({
  logIn: createLoginLimits(redis, LOGIN_LIMIT),
  passkeyLogIn: createAttemptLimit(redis, { ...PASSKEY_LOG_IN, attempts: LOGIN_LIMIT }),
  signUp: createSignupLimits(redis, SIGNUP_LIMIT),
  atProvider: createAttemptLimit(redis, AT_PROVIDER),
  /** Of links to set a new password, and of the use of all links. */
  reset: createResetLimits(redis, SIGNUP_LIMIT),
  /** Of mails to new addresses, whichever request causes them. */
  emailChange: createChangeLimits(redis, SIGNUP_LIMIT),
  /** Of requests to send the confirmation again. */
  resend: createResendLimits(redis, 'resend'),
  /** Of requests to try an address again that refused a mail. */
  retry: createResendLimits(redis, 'email-retry'),
  exampleMails: createAttemptLimit(redis, EXAMPLES),
});

export type Limits = ReturnType<typeof createLimits>;
