import type { AccountFactors, ProvenAccount } from '@shortlist/contracts/api/identity';
import type { AdminLogIn, LogInReply, UserLogIn } from '@shortlist/contracts/api/public-sessions';
import type { SignInMethod } from '@shortlist/contracts/api/sign-ins';
import { createError } from '@shortlist/kit/process/errors';
import type { Exchange } from '../http/endpoint.ts';
import type { Proofs } from '../proofs/proofs.ts';
import { mustSetUpFactor } from '../proofs/second-step.rules.ts';
import type { SessionRole } from '../session/session.ts';
import { beginSession, type SessionParts } from './begin-session.ts';
import { composeUser } from './user-view.ts';

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
