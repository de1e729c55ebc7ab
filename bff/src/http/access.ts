import { may } from '@shortlist/contracts/admin-permissions';
import type { Audience } from '@shortlist/contracts/api/operation';
import { seconds } from '@shortlist/contracts/durations';
import { STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import { assertIds, assertRole } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Request } from 'express';
import { type Binding, tokenOf } from '../session/credentials.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { ANONYMOUS } from '../services.ts';
import type { Route, Step, Visitor } from './endpoint.ts';

/** The roles of each audience. */
const ROLES = {
  strangers: ['anonymous'],
  everybody: ['anonymous', 'user', 'admin'],
  users: ['user'],
  admins: ['admin'],
  sessions: ['user', 'admin'],
  clients: ['user'],
} as const satisfies Record<Audience, readonly Caller['role'][]>;

const callerOf = (session: Session | null, address: string): Caller => {
  if (session === null) return ANONYMOUS;
  const { role, userId, viewerId, rights } = session;
  return { role, userId, address, rights, ...(viewerId === null ? {} : { actorId: viewerId }) };
};

type Identifying = { sessions: Sessions; binding: Binding; clock: Clock };

/** Finds out who sends the request, and reads the session where the endpoint has to do with one. */
export const identify = ({ sessions, binding, clock }: Identifying, endpoint: Route): Step => {
  const identifyNow = async (request: Request): Promise<Omit<Visitor, 'checkAgain'>> => {
    const token = tokenOf(request);
    const bindings = binding.of(request);
    const hasSession = endpoint.to !== 'strangers' && token !== null;
    const session = hasSession ? await sessions.check(token, bindings) : null;
    const address = request.ip ?? '';
    return { address, caller: callerOf(session, address), token, bindings, session, client: null };
  };
  return async (request, { locals }, next) => {
    const visitor = await identifyNow(request);
    locals.observation.actor = visitor.caller;
    const checkAgain = async () => assertVisitor(endpoint, await identifyNow(request), clock);
    locals.visitor = { ...visitor, checkAgain };
    next();
  };
};

/** Throws unless the user of the session has proved who they are within STEP_UP_SECONDS. */
export const assertRecent = (session: Session | null, clock: Clock): void => {
  const provenMs = session === null ? 0 : session.authenticatedAt;
  if (clock().getTime() - provenMs > seconds(STEP_UP_SECONDS))
    throw createError('session.reauthentication_required');
};

/** Whether a session of an account that is about to be deleted may call the endpoint. */
const isOpenDuringDeletion = ({ to, duringDeletion }: Route): boolean =>
  duringDeletion === true || to === 'strangers' || to === 'everybody';

/** Throws when the session is restricted to other endpoints. */
const assertUnrestricted = (endpoint: Route, session: Session): void => {
  if (session.needsSecondFactor && !endpoint.beforeSecondFactor)
    throw createError('session.second_factor_required');
  if (session.isBeingDeleted && !isOpenDuringDeletion(endpoint))
    throw createError('identity.deletion_pending');
};

/** Throws `session.permission_missing` for an admin whose role does not include the endpoint. */
const assertPermission = ({ permission }: Route, session: Session): void => {
  if (session.role !== 'admin' || permission === 'own_account') return;
  const isAllowed = permission !== null && may(session.adminRole, permission);
  if (!isAllowed) throw createError('session.permission_missing');
};

const assertSession = (endpoint: Route, session: Session): void => {
  assertUnrestricted(endpoint, session);
  assertPermission(endpoint, session);
  if (session.viewerId !== null && endpoint.whileViewing !== true) throw createError('session.viewing');
};

/** Throws unless the caller satisfies the guards of the endpoint. */
const assertVisitor = (
  endpoint: Route,
  { session, caller }: Pick<Visitor, 'session' | 'caller'>,
  clock: Clock,
): void => {
  assertRole(ROLES[endpoint.to], caller);
  if (session !== null) assertSession(endpoint, session);
  if (endpoint.recent) assertRecent(session, clock);
};

/** Throws unless the caller satisfies the guards of the endpoint, and the path has ids. */
export const assertAccess =
  (endpoint: Route, clock: Clock): Step =>
  ({ params }, { locals: { visitor } }, next) => {
    assertVisitor(endpoint, visitor, clock);
    assertIds(params);
    next();
  };
