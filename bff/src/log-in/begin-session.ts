import type { Account } from '@shortlist/contracts/api/identity';
import type { AccountFactors } from '@shortlist/contracts/api/factors';
import {
  type AdminLogIn,
  logInEndpoints,
  type LogInReply,
  type NewSignIn,
  type ProvenAccount,
  type UserLogIn,
} from '@shortlist/contracts/api/authentication';
import type { SignInMethod, SignInOrigin } from '@shortlist/contracts/api/sessions';
import { asService } from '@shortlist/kit/http/http-client';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { composeSessionUser } from '../handlers/users.ts';
import type { Exchange } from '../http/endpoint.ts';
import type { DeviceCookie } from '../limits/login-limits.ts';
import { logIns } from '../metrics.ts';
import type { Proofs } from '../proofs/proofs.ts';
import { mustSetUpFactor } from '../proofs/second-step.ts';
import type { Binding } from '../session/credentials.ts';
import { type FindPlace, originOf } from '../http/sign-in-origin.ts';
import type { Restriction, SessionOwner, SessionRole } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Xsrf } from '../session/xsrf.ts';
import type { Services } from '../services.ts';

export type SignInParts = { services: Services; findPlace: FindPlace; log: Log; countLogIn: CountLogIn };
type Origin = Pick<Exchange, 'request' | 'address'>;
type SignIn = Omit<NewSignIn, keyof SignInOrigin>;

export type CountLogIn = (method: SignInMethod, outcome: 'succeeded' | 'failed' | 'locked') => void;

/** Adds log-ins to the metrics. Returns the function that counts one. */
export const createLogInCounter = (metrics: Metrics): CountLogIn => {
  const counter = metrics.counter(logIns);
  return (method, outcome) => counter.inc({ method, outcome });
};

/**
 * Adds a complete log-in to the history of its account, whichever steps it took, and that of an admin to the audit log. A user's
 * log-in does not fail because its history does; an admin's does, since the audit log has every one.
 */
const recordSignIn = async (
  { services, log, findPlace, countLogIn }: SignInParts,
  exchange: Origin,
  { role, ...signIn }: SignIn & { role: SessionRole },
): Promise<void> => {
  const input = { ...originOf(findPlace, exchange), ...signIn };
  // The address is for the audit log; the history has its network.
  const caller = { ...SERVICE_CALLER, address: exchange.address };
  await services.identity(logInEndpoints.recordSignIn, input, { caller }).catch((error: unknown) => {
    if (role === 'admin') throw error;
    log.warn({ err: error }, 'log-in not recorded');
  });
  countLogIn(signIn.method, 'succeeded');
};

type Failure = { method: SignInMethod; isLocking: boolean } & (
  { id: string } | { email: string; role: 'user' | 'admin' }
);

/**
 * Adds a failed log-in to the history of its account, if there is one. The response must not wait for it: how long it takes depends
 * on whether the account exists.
 */
export const recordFailedSignIn = (parts: SignInParts, exchange: Origin, failure: Failure): void => {
  parts.countLogIn(failure.method, failure.isLocking ? 'locked' : 'failed');
  parts.services
    .identity(
      logInEndpoints.recordFailedSignIn,
      { ...originOf(parts.findPlace, exchange), ...failure },
      asService(),
    )
    .catch((error: unknown) => parts.log.warn({ err: error }, 'failed log-in not recorded'));
};

type SessionParts = SignInParts & {
  sessions: Sessions;
  xsrf: Xsrf;
  binding: Binding;
  deviceCookie: DeviceCookie;
};

type LogInExchange = Pick<Exchange, 'request' | 'response' | 'address'>;
/** `method`: the last step that the log-in took. */
type LogIn = Pick<Account, 'email'> & {
  owner: SessionOwner;
  method: SignInMethod;
  /** The session may only set up a second factor. */
  needsSecondFactor?: boolean;
  /** The session may only keep the account. */
  isBeingDeleted?: boolean;
};

const restrictionOf = ({ needsSecondFactor, isBeingDeleted }: LogIn): Restriction => {
  if (isBeingDeleted) return 'deletion';
  return needsSecondFactor ? 'second_factor' : 'none';
};

/**
 * Begins the session of a log-in, with its cookies, and records the log-in. In a browser, the session takes the place of the one
 * that the account had there: nothing has its token any more.
 */
const beginSession = async (
  parts: SessionParts,
  exchange: LogInExchange,
  logIn: LogIn,
): Promise<{ token: string; id: string; remainingSeconds: number }> => {
  const { sessions, xsrf, binding, deviceCookie } = parts;
  const { owner, email, method } = logIn;
  const { userId, role } = owner;
  // Before the session begins: what ends it ends the cookie afterwards.
  const client = await deviceCookie.read(exchange.request, email);
  const former = binding.of(exchange.request)[role];
  if (former !== '') await sessions.endBound(userId, former);
  const details = {
    ...originOf(parts.findPlace, exchange),
    binding: binding.begin(exchange, role),
    restriction: restrictionOf(logIn),
  } as const;
  const begun = await sessions.begin(owner, details);
  const signIn = { id: userId, role, method, sessionId: begun.id, isKnownDevice: client.name !== null };
  await recordSignIn(parts, exchange, signIn).catch(async (error: unknown) => {
    await sessions.end(begun.token);
    throw error;
  });
  xsrf.renew(exchange, { begun: begun.token });
  deviceCookie.renew(exchange, email, client);
  return begun;
};

export type LogInParts = SessionParts & { proofs: Proofs };
/** An account whose log-in is complete. `method`: the last step that it took. */
export type Proven = Pick<ProvenAccount, 'id' | 'email' | 'admin' | 'generation' | 'deletionDueAt'> & {
  factors: AccountFactors;
  method: SignInMethod;
};

export const completeUserLogIn = async (
  parts: LogInParts,
  exchange: LogInExchange,
  { id, email, generation, method, deletionDueAt }: Proven,
): Promise<UserLogIn> => {
  const ofUser = await composeSessionUser(parts.services, id, { role: 'user', userId: id });
  const isBeingDeleted = deletionDueAt !== undefined;
  const logIn = { owner: { userId: id, role: 'user', generation }, email, method, isBeingDeleted } as const;
  const { token, remainingSeconds: remainingTime } = await beginSession(parts, exchange, logIn);
  const data = { token, remainingTime, ...ofUser, ...(deletionDueAt === undefined ? {} : { deletionDueAt }) };
  return { message: 'login', data };
};

export const completeAdminLogIn = async (
  parts: LogInParts,
  exchange: LogInExchange,
  { id, email, generation, admin, factors, method }: Proven,
): Promise<AdminLogIn> => {
  const role = admin?.role ?? null;
  if (admin === null || role === null) throw createError('identity.suspended');
  const needsSecondFactor = mustSetUpFactor({ role: 'admin', factors }, parts.proofs.adminTwoStep);
  const owner = { userId: id, role: 'admin', generation, access: admin } as const;
  const logIn = { owner, email, method, needsSecondFactor };
  const { token, remainingSeconds } = await beginSession(parts, exchange, logIn);
  const credentials = { token, expiresIn: remainingSeconds };
  return { message: 'login success', credentials, role, ...(needsSecondFactor ? { needsSecondFactor } : {}) };
};

export const completeLogIn = (
  parts: LogInParts,
  exchange: LogInExchange,
  { role, ...proven }: Proven & { role: SessionRole },
): Promise<LogInReply> =>
  role === 'admin' ? completeAdminLogIn(parts, exchange, proven) : completeUserLogIn(parts, exchange, proven);
