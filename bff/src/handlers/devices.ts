import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicSessionEndpoints, type UserDeviceView } from '@shortlist/contracts/api/sessions';
import { seconds } from '@shortlist/contracts/durations';
import { asService } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { endAccess, type KeyStore } from '../api-keys/key-store.ts';
import { composed, type Route } from '../http/endpoint.ts';
import type { Proofs } from '../proofs/proofs.ts';
import type { Binding } from '../session/credentials.ts';
import type { Session } from '../session/session.ts';
import type { ListedSession } from '../session/session-list.ts';
import type { Sessions } from '../session/sessions.ts';
import { type Services } from '../services.ts';

type EndingParts = { services: Services; sessions: Sessions; keyStore: KeyStore };
type Own = { caller: Caller; session: Session; keptId?: string; withAccess?: boolean };

/** A log-out does not wait for an identity that hangs. */
const END_TIMEOUT_MS = seconds(1);

/**
 * Makes every service refuse requests in progress of a session that bff has ended. If identity is unavailable, new requests are refused all the
 * same.
 */
export const endUnderWay = (
  { services, log }: { services: Services; log: Log },
  { caller, sessionId }: { caller: Caller; sessionId: string },
): Promise<unknown> =>
  services
    .identity(
      identityEndpoints.endSession,
      { id: caller.userId ?? '', sessionId },
      { caller, timeoutMs: END_TIMEOUT_MS },
    )
    .catch((error: unknown) =>
      log.warn({ err: error }, 'changes under way with an ended session not refused'),
    );

/**
 * Ends the caller's sessions, except the one with the id `keptId`, and with them the log-ins under way and the trusted devices;
 * `withAccess`: also all else that acts for the caller. Returns how many sessions there were.
 */
export const endOwnSessions = async (
  { services, sessions, keyStore }: EndingParts,
  { caller, session: { userId }, keptId = '', withAccess = false }: Own,
): Promise<number> => {
  // Another request may have ended the kept one meanwhile.
  const ended = (await sessions.list(userId)).filter(({ id }) => id !== keptId);
  const input = { id: userId, withAccess };
  const { generation } = await services.identity(identityEndpoints.endSessions, input, { caller });
  await Promise.all([sessions.endAllBefore(userId, generation, keptId), keyStore.forget(userId)]);
  return ended.length;
};

type Parts = EndingParts & { binding: Binding; proofs: Proofs; log: Log };

const present = ({ id, browser, system, place, beganAt, lastSeenAt }: ListedSession): UserDeviceView => ({
  id,
  browser,
  system,
  place,
  firstSeenAt: new Date(beganAt).toISOString(),
  lastSeenAt: new Date(lastSeenAt).toISOString(),
});

const ownEndpoints = ({ services, sessions, keyStore, binding, log }: Parts): Route[] => [
  composed(publicSessionEndpoints.listDevices, async ({ session }) => {
    const listed = await sessions.list(session.userId);
    const devices = listed.map((entry) => ({ ...present(entry), isCurrent: entry.id === session.id }));
    return { data: devices.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) };
  }),

  composed(publicSessionEndpoints.endSession, async ({ input, userId, caller }) => {
    if (!(await sessions.endById(userId, input.id))) throw createError('request.not_found');
    await endUnderWay({ services, log }, { caller, sessionId: input.id });
    return { message: 'ended' };
  }),

  composed(publicSessionEndpoints.endOtherSessions, async ({ input, caller, session }) => {
    const ending = { ...input, caller, session, keptId: session.id };
    return { ended: await endOwnSessions({ services, sessions, keyStore }, ending) };
  }),

  composed(publicSessionEndpoints.endAllSessions, async ({ input, request, response, caller, session }) => {
    binding.remove({ request, response }, session.role);
    return { ended: await endOwnSessions({ services, sessions, keyStore }, { ...input, caller, session }) };
  }),
];

const trustedDeviceEndpoints = ({ services, proofs }: Parts): Route[] => [
  composed(publicSessionEndpoints.listTrustedDevices, async ({ userId: id }) => {
    const { data } = await services.identity(factorEndpoints.listCredentials, { userId: id }, asService());
    const { fingerprint } = data.factors;
    const devices = await proofs.trustedDevices.list({ userId: id, fingerprint });
    return {
      data: devices.map(({ since, ends, ...device }) => ({
        ...device,
        trustedAt: new Date(since).toISOString(),
        endsAt: new Date(ends).toISOString(),
      })),
    };
  }),

  composed(publicSessionEndpoints.removeTrustedDevice, async ({ input, userId }) => {
    if (!(await proofs.trustedDevices.remove(userId, input.id))) throw createError('request.not_found');
    return { message: 'removed' };
  }),
];

/** An admin's own devices, which other admins neither see nor sign out here, are no user's. */
const listOfUser = async (sessions: Sessions, userId: string): Promise<ListedSession[]> =>
  (await sessions.list(userId)).filter(({ role }) => role === 'user');

const userDeviceEndpoints = ({ services, sessions, keyStore }: Parts): Route[] => [
  composed(publicSessionEndpoints.listUserDevices, async ({ input: { id } }) => ({
    data: (await listOfUser(sessions, id)).map(present),
  })),

  composed(publicSessionEndpoints.endUserDevice, async ({ input, caller }) => {
    const { id, sessionId } = input;
    const isListed = (await listOfUser(sessions, id)).some((session) => session.id === sessionId);
    if (!isListed) throw createError('request.not_found');
    // Without the record it does not end.
    await services.identity(identityEndpoints.endUserSession, input, { caller });
    await sessions.endById(id, sessionId);
    return { message: 'ended' };
  }),

  composed(publicSessionEndpoints.endUserSessions, async ({ input, caller }) => {
    const { generation } = await services.identity(identityEndpoints.endSessions, input, { caller });
    await endAccess({ sessions, keyStore }, input.id, generation);
    return { message: 'ended' };
  }),
];

/** The devices on which a user is logged in: for the user, and for admins of any user. */
export const deviceEndpoints = (parts: Parts): Route[] => [
  ...ownEndpoints(parts),
  ...trustedDeviceEndpoints(parts),
  ...userDeviceEndpoints(parts),
];
