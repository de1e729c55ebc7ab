import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { type DeviceView, publicSessionEndpoints } from '@shortlist/contracts/api/public-sessions';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { handled, type PublicEndpoint } from '../http/endpoint.ts';
import type { Proofs } from '../proofs/proofs.ts';
import type { Binding } from '../session/credentials.ts';
import type { Session } from '../session/session.ts';
import type { ListedSession, Sessions } from '../session/sessions.ts';
import { SERVICE_CALLER, type Services } from '../upstream/services.ts';

type EndingParts = { services: Services; sessions: Sessions };
type Own = { caller: Caller; session: Session; keptId?: string };

/**
 * Ends the caller's sessions, except the one with the id `keptId`, and with them the log-ins under way and the trusted devices. Returns how
 * many sessions there were.
 */
export const endOwnSessions = async (
  { services, sessions }: EndingParts,
  { caller, session: { userId }, keptId = '' }: Own,
): Promise<number> => {
  const { length } = await sessions.list(userId);
  const { generation } = await services.identity(identityEndpoints.endSessions, { id: userId }, { caller });
  await sessions.endAllBefore(userId, generation, keptId);
  return keptId === '' ? length : length - 1;
};

type Parts = { services: Services; sessions: Sessions; binding: Binding; proofs: Proofs };

const roles = ['user', 'admin'] as const;
const nothing = Joi.object<Record<never, never>>({});
const anId = Joi.object<{ id: string }, true>({ id: userId }); // a session's id is a UUID too

const currentSession = (session: Session | null): Session => {
  if (session === null) throw createError('session.missing');
  return session;
};

const present = (
  { id, browser, system, place, beganAt, lastSeenAt }: ListedSession,
  currentId: string,
): DeviceView => ({
  ...{ id, browser, system, place },
  firstSeenAt: new Date(beganAt).toISOString(),
  lastSeenAt: new Date(lastSeenAt).toISOString(),
  isCurrent: id === currentId,
});

const ownEndpoints = ({ services, sessions, binding }: Parts): PublicEndpoint[] => [
  handled(publicSessionEndpoints.listDevices, {
    roles,
    permission: 'own_account',
    input: nothing,
    handle: async ({ session }) => {
      const { id, userId: owner } = currentSession(session);
      const devices = (await sessions.list(owner)).map((entry) => present(entry, id));
      return { data: devices.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) };
    },
  }),

  handled(publicSessionEndpoints.endSession, {
    roles,
    permission: 'own_account',
    recent: true,
    input: anId,
    handle: async ({ input, session }) => {
      if (!(await sessions.endById(currentSession(session).userId, input.id)))
        throw createError('request.not_found');
      return { message: 'ended' };
    },
  }),

  handled(publicSessionEndpoints.endOtherSessions, {
    roles,
    permission: 'own_account',
    recent: true,
    input: nothing,
    handle: async ({ caller, ...exchange }) => {
      const session = currentSession(exchange.session);
      const ending = { caller, session, keptId: session.id };
      return { ended: await endOwnSessions({ services, sessions }, ending) };
    },
  }),

  handled(publicSessionEndpoints.endAllSessions, {
    roles,
    permission: 'own_account',
    recent: true,
    input: nothing,
    handle: async ({ request, response, caller, ...exchange }) => {
      const session = currentSession(exchange.session);
      binding.remove({ request, response }, session.role);
      return { ended: await endOwnSessions({ services, sessions }, { caller, session }) };
    },
  }),
];

const trustedDeviceEndpoints = ({ services, proofs }: Parts): PublicEndpoint[] => [
  handled(publicSessionEndpoints.listTrustedDevices, {
    roles,
    permission: 'own_account',
    input: nothing,
    handle: async ({ session }) => {
      const { userId: id } = currentSession(session);
      const { data } = await services.identity(
        factorEndpoints.listCredentials,
        { userId: id },
        { caller: SERVICE_CALLER },
      );
      const { fingerprint } = data.factors;
      const devices = await proofs.trustedDevices.list({ userId: id, fingerprint });
      return {
        data: devices.map(({ since, ends, ...device }) => ({
          ...device,
          trustedAt: new Date(since).toISOString(),
          endsAt: new Date(ends).toISOString(),
        })),
      };
    },
  }),

  handled(publicSessionEndpoints.removeTrustedDevice, {
    roles,
    permission: 'own_account',
    recent: true,
    input: anId,
    handle: async ({ input, session }) => {
      if (!(await proofs.trustedDevices.remove(currentSession(session).userId, input.id)))
        throw createError('request.not_found');
      return { message: 'removed' };
    },
  }),
];

/** The devices on which a user is logged in: for the user, and for admins of any user. */
export const deviceEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { services, sessions } = parts;
  return [
    ...ownEndpoints(parts),
    ...trustedDeviceEndpoints(parts),

    handled(publicSessionEndpoints.countUserSessions, {
      roles: ['admin'],
      permission: 'users.read',
      input: anId,
      handle: async ({ input }) => ({ count: (await sessions.list(input.id)).length }),
    }),

    handled(publicSessionEndpoints.endUserSessions, {
      roles: ['admin'],
      permission: 'sessions.end',
      recent: true,
      input: anId,
      handle: async ({ input, caller }) => {
        const { generation } = await services.identity(identityEndpoints.endSessions, input, { caller });
        await sessions.endAllBefore(input.id, generation);
        return { message: 'ended' };
      },
    }),
  ];
};
