import { may } from '@shortlist/contracts/admin-permissions';
import type { Audience } from '@shortlist/contracts/api/public-endpoint';
import { seconds } from '@shortlist/contracts/durations';
import { STEP_UP_SECONDS } from '@shortlist/contracts/limits';
import { assertIds, assertRole } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { type Binding, tokenOf } from '../session/credentials.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { ANONYMOUS } from '../services.ts';
import type { Route, Step } from './endpoint.ts';

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
  const { role, userId, viewerId } = session;
  return { role, userId, address, ...(viewerId === null ? {} : { actorId: viewerId }) };
};

/** Finds out who sends the request, and reads the session where the endpoint has to do with one. */
export const identify =
  ({ sessions, binding }: { sessions: Sessions; binding: Binding }, { to }: Route): Step =>
  async (request, { locals }, next) => {
    const token = tokenOf(request);
    const bindings = binding.of(request);
    const session = to === 'strangers' || token === null ? null : await sessions.check(token, bindings);
    const address = request.ip ?? '';
    const caller = callerOf(session, address);
    locals.observation.actor = caller;
    locals.visitor = { address, caller, token, bindings, session, client: null };
    next();
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
export const assertAccess =
  (endpoint: Route, clock: Clock): Step =>
  ({ params }, { locals: { visitor } }, next) => {
    const { session, caller } = visitor;
    assertRole(ROLES[endpoint.to], caller);
    if (session !== null) assertSession(endpoint, session);
    if (endpoint.recent) assertRecent(session, clock);
    assertIds(params);
    next();
  };
