import type { AccountFactors } from '@shortlist/contracts/api/identity';
import type { AdminLogIn, LogInReply, UserLogIn } from '@shortlist/contracts/api/public-factors';
import type { Exchange } from '../pipeline/public-endpoint.ts';
import type { Proofs } from '../proofs/proofs.ts';
import { mustSetUpFactor } from '../proofs/second-step.rules.ts';
import type { SessionRole } from '../session/sessions.ts';
import type { Services } from '../upstream/services.ts';
import { beginSession, type SessionParts } from './begin-session.ts';
import { composeUser } from './user-view.ts';

export type LogInParts = SessionParts & { services: Services; proofs: Proofs };
type Origin = Pick<Exchange, 'request' | 'response' | 'address'>;
type Proven = { id: string; factors: AccountFactors };

export const completeUserLogIn = async (
  parts: LogInParts,
  exchange: Origin,
  { id }: Proven,
): Promise<UserLogIn> => {
  const user = await composeUser(parts.services, id, { caller: { role: 'user', userId: id } });
  const { token, remainingSeconds } = await beginSession(parts, exchange, { userId: id, role: 'user' });
  return { message: 'login', data: { token, user, remainingTime: remainingSeconds } };
};

export const completeAdminLogIn = async (
  parts: LogInParts,
  exchange: Origin,
  { id, factors }: Proven,
): Promise<AdminLogIn> => {
  const needsSecondFactor = mustSetUpFactor({ role: 'admin', factors }, parts.proofs.adminTwoStep);
  const beginning = { userId: id, role: 'admin', needsSecondFactor } as const;
  const { token, remainingSeconds } = await beginSession(parts, exchange, beginning);
  const credentials = { token, expiresIn: remainingSeconds };
  return { message: 'login success', credentials, ...(needsSecondFactor ? { needsSecondFactor } : {}) };
};

export const completeLogIn = (
  parts: LogInParts,
  exchange: Origin,
  { role, ...proven }: Proven & { role: SessionRole },
): Promise<LogInReply> =>
  role === 'admin' ? completeAdminLogIn(parts, exchange, proven) : completeUserLogIn(parts, exchange, proven);
