import type { Account, AccountFactors, ProvenAccount } from '@shortlist/contracts/api/identity';
import type { AdminLogIn, LogInReply, UserLogIn } from '@shortlist/contracts/api/public-factors';
import type { SignInMethod } from '@shortlist/contracts/api/sessions';
import { createError } from '@shortlist/kit/process/errors';
import { composeUser } from '../handlers/users.ts';
import type { Exchange } from '../http/endpoint.ts';
import type { DeviceCookie } from '../limits/device-cookie.ts';
import type { Proofs } from '../proofs/proofs.ts';
import { mustSetUpFactor } from '../proofs/second-step.rules.ts';
import type { Binding } from '../session/credentials.ts';
import type { Restriction, SessionOwner, SessionRole } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Xsrf } from '../session/xsrf.ts';
import { originOf, recordSignIn, type SignInParts } from './sign-ins.ts';

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
  return needsSecondFactor ? '1' : '';
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
    ...originOf(parts, exchange),
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
type Origin = Pick<Exchange, 'request' | 'response' | 'address'>;
/** An account whose log-in is complete. `method`: the last step that it took. */
export type Proven = Pick<ProvenAccount, 'id' | 'email' | 'admin' | 'generation' | 'deletionDueAt'> & {
  factors: AccountFactors;
  method: SignInMethod;
};

export const completeUserLogIn = async (
  parts: LogInParts,
  exchange: Origin,
  { id, email, generation, method, deletionDueAt }: Proven,
): Promise<UserLogIn> => {
  const user = await composeUser(parts.services, id, { caller: { role: 'user', userId: id } });
  const isBeingDeleted = deletionDueAt !== undefined;
  const logIn = { owner: { userId: id, role: 'user', generation }, email, method, isBeingDeleted } as const;
  const { token, remainingSeconds: remainingTime } = await beginSession(parts, exchange, logIn);
  const data = { token, user, remainingTime, ...(deletionDueAt === undefined ? {} : { deletionDueAt }) };
  return { message: 'login', data };
};

export const completeAdminLogIn = async (
  parts: LogInParts,
  exchange: Origin,
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
  exchange: Origin,
  { role, ...proven }: Proven & { role: SessionRole },
): Promise<LogInReply> =>
  role === 'admin' ? completeAdminLogIn(parts, exchange, proven) : completeUserLogIn(parts, exchange, proven);
