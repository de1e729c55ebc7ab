import { may } from '@shortlist/contracts/admin-permissions';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Session } from '../session/sessions.ts';
import { isAllowedWhileViewing } from '../session/viewing.rules.ts';
import { ANONYMOUS } from '../upstream/services.ts';
import { assertRecent } from './assert-recent.ts';
import type { PublicEndpoint } from './public-endpoint.ts';

export const callerOf = (session: Session | null, address: string): Caller => {
  if (session === null) return ANONYMOUS;
  const { role, userId, viewerId } = session;
  return { role, userId, address, ...(viewerId === null ? {} : { actorId: viewerId }) };
};

/** Throws `session.permission_missing` for an admin whose role does not include the endpoint. */
const assertPermission = ({ permission }: PublicEndpoint, session: Session): void => {
  if (session.role !== 'admin' || permission === 'own_account') return;
  const isAllowed = permission !== undefined && may(session.adminRole, permission);
  if (!isAllowed) throw createError('session.permission_missing');
};

const assertSession = (endpoint: PublicEndpoint, session: Session): void => {
  if (session.needsSecondFactor && !endpoint.beforeSecondFactor)
    throw createError('session.second_factor_required');
  assertPermission(endpoint, session);
  if (session.viewerId !== null && !isAllowedWhileViewing(endpoint)) throw createError('session.viewing');
};

/** Throws unless the session satisfies the guards of the endpoint. */
export const assertGuards = (endpoint: PublicEndpoint, session: Session | null, clock: Clock): void => {
  if (session !== null) assertSession(endpoint, session);
  if (endpoint.recent) assertRecent(session, clock);
};
