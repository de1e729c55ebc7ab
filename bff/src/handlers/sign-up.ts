import { identityEndpoints } from '@shortlist/contracts/api/identity';
import {
  type RegisteredUser,
  signUpEndpoints,
  type UserLogIn,
} from '@shortlist/contracts/api/authentication';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { minutes } from '@shortlist/contracts/durations';
import type { VerifiedAction } from '@shortlist/contracts/limits';
import {
  type AdminFields,
  adminSignupSchema,
  consentingSignupSchema,
  type LoginInput,
  type SignupForm,
  signupFormSchema,
} from '@shortlist/contracts/schemas/account';
import type { Redis } from '@shortlist/kit/data/redis';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { composed, type Exchange, type Route } from '../http/endpoint.ts';
import { createAttemptLimit, NETWORK_HOLD_MS, networkOf } from '../limits/attempt-limit.ts';
import type { Limits } from '../limits/limits.ts';
import type { DeviceCookie } from '../limits/login-limits.ts';
import { ANONYMOUS, HASH_TIMEOUT_MS, type Services } from '../services.ts';
import { readForm, storePicture } from './form.ts';
import type Joi from 'joi';

/** UserRegistered creates the profile too; created here as well, it exists for the next read. */
const createProfile = async (
  { services, log }: { services: Services; log: Log },
  user: RegisteredUser,
): Promise<void> => {
  await services
    .profile(profileEndpoints.createProfile, user, { caller: ANONYMOUS })
    .catch((error: unknown) => log.warn({ err: error }, 'profile not created; UserRegistered will'));
};

type SignUpExchange = Pick<Exchange, 'request' | 'response' | 'address' | 'checkAgain'>;

type Parts = {
  services: Services;
  log: Log;
  limits: Limits;
  /** The terms that a sign-up has to accept, or null. */
  termsVersion: string | null;
  /** Null where a sign-up leads to the log-in form. */
  logInNewUser: ((exchange: SignUpExchange, credentials: LoginInput) => Promise<UserLogIn['data']>) | null;
};

/** The form of a sign-up. A user who is added by an admin has accepted nothing. */
const readSignUp = async (
  exchange: SignUpExchange,
  { isAdmin, termsVersion }: { isAdmin: boolean; termsVersion: string | null },
) => {
  const ownSchema = termsVersion === null ? signupFormSchema : consentingSignupSchema(termsVersion);
  const schema: Joi.Schema<SignupForm & AdminFields> = isAdmin ? adminSignupSchema : ownSchema;
  const { userData, file } = await readForm(exchange, schema);
  const { termsAccepted: _, ...account } = userData;
  return { account, file, consent: isAdmin || termsVersion === null ? {} : { termsVersion } };
};

/** The session of a new user. Without one, the sign-up leads to the log-in form. */
const beginFirstSession = async (
  { logInNewUser, log }: Pick<Parts, 'logInNewUser' | 'log'>,
  exchange: SignUpExchange,
  credentials: LoginInput,
): Promise<{ logIn?: UserLogIn['data'] }> => {
  try {
    return logInNewUser === null ? {} : { logIn: await logInNewUser(exchange, credentials) };
  } catch (error) {
    log.warn({ err: error }, 'new user not logged in; the form is shown');
    return {};
  }
};

export const signUpEndpoint = ({ services, log, limits, termsVersion, logInNewUser }: Parts): Route =>
  composed(publicEndpoints.signup, async ({ caller, ...exchange }) => {
    const { response, address } = exchange;
    // An admin who adds a user is the actor in the audit log; other sessions play no part in a sign-up.
    const isAdmin = caller.role === 'admin';
    if (!isAdmin) await limits.signUp.consumeNetwork(address);
    const { account: fields, file, consent } = await readSignUp(exchange, { isAdmin, termsVersion });
    const register = async () => {
      const account = { ...fields, picture: await storePicture(services, ANONYMOUS, file), ...consent };
      const reply = await services.identity(signUpEndpoints.register, account, {
        caller: isAdmin ? caller : ANONYMOUS,
        timeoutMs: HASH_TIMEOUT_MS,
        signal: closedSignal(response),
      });
      return { account, reply };
    };
    const { account, reply } = isAdmin
      ? await register()
      : await limits.signUp.countAddress(fields.email, register);
    const { id, email, createdAt } = reply.data;
    // Of a pending sign-up, nothing is stored but what identity has until the address is confirmed.
    if (reply.isPending) return { message: 'signup', data: { id, email, picture: null, isPending: true } };
    const { password, termsVersion: _version, ...profile } = account;
    await createProfile({ services, log }, { ...profile, id, email, createdAt });
    const session = isAdmin
      ? {}
      : await beginFirstSession({ logInNewUser, log }, exchange, { email, password });
    return { message: 'signup', data: { id, email, picture: account.picture, ...session } };
  });

/** Requests of one network in a minute: enough for someone who fills in a form, too few to try addresses by the thousand. */
const AVAILABILITY = {
  name: 'availability',
  attempts: 30,
  windowMs: minutes(1),
  withoutRedis: 'refuse',
  holdMs: NETWORK_HOLD_MS,
} as const;

/** Whether an email address is free. It reveals which addresses have accounts, so each client may call it rarely. */
export const emailAvailabilityEndpoint = (services: Services, redis: Redis): Route => {
  const limit = createAttemptLimit(redis, AVAILABILITY);
  return composed(publicEndpoints.emailAvailability, async ({ input, address, caller }) => {
    await limit.consume(networkOf(address));
    return services.identity(signUpEndpoints.emailAvailability, input, { caller });
  });
};

type EmailParts = { services: Services; log: Log; limits: Limits; deviceCookie: DeviceCookie };

export const emailEndpoints = ({ services, log, limits, deviceCookie }: EmailParts): Route[] => [
  composed(publicEndpoints.verifyEmail, async ({ input, address, ...exchange }) => {
    await limits.reset.consumeUse(address);
    // A user's own session proves that the reader of the email is the user; an admin's proves nothing.
    const caller = exchange.caller.role === 'user' ? exchange.caller : ANONYMOUS;
    const { data } = await services.identity(signUpEndpoints.verifyEmail, input, { caller });
    if (data.registered !== undefined) {
      // Browsers that were known to an earlier account of this address are unknown again.
      await deviceCookie.endAll(data.email);
      await createProfile({ services, log }, data.registered);
    }
    return { data: { email: data.email } };
  }),

  composed(publicEndpoints.verifyEmailCode, async ({ input: { code }, caller, userId: id, address }) => {
    await limits.reset.consumeUse(address);
    const input = { id, code };
    const { data } = await services.identity(signUpEndpoints.verifyEmailCode, input, { caller });
    return { data: { email: data.email } };
  }),

  composed(publicEndpoints.resendVerification, async ({ caller, userId: id }) => {
    await limits.resend.consume(id);
    await services.identity(signUpEndpoints.requestVerification, { id }, { caller });
    return { message: 'requested' };
  }),
];

/** Throws `identity.email_unverified` when the action requires a confirmed address and the caller has none. */
export type AssertVerified = (action: VerifiedAction, caller: Caller) => Promise<void>;

export const createAssertVerified =
  (services: Services, required: readonly string[]): AssertVerified =>
  async (action, caller) => {
    if (!required.includes(action)) return;
    const { data } = await services.identity(
      identityEndpoints.email,
      { id: caller.userId ?? '' },
      { caller },
    );
    if (!data.isVerified) throw createError('identity.email_unverified');
  };
