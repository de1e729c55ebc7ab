import { count, flag, listOf, message, text, view } from '../schemas/replies.ts';
import { time, uuid } from '../schemas/text.ts';
import { forAdmins, forSessions } from './public-endpoint.ts';
import { signInView, type SignInView } from './sign-ins.ts';

/** A session of the caller, named after the device on which it began. Times are ISO 8601. */
export type DeviceView = {
  id: string;
  /** Names of products, such as Firefox and macOS; '' when unknown. */
  browser: string;
  system: string;
  /** City and country of the network, or ''; known only where the operator has configured a database of places. */
  place: string;
  firstSeenAt: string;
  /** Moves at most once a minute. */
  lastSeenAt: string;
  isCurrent: boolean;
};

/** A device that skips the second step of the caller's log-ins until `endsAt`. */
export type TrustedDeviceView = Pick<DeviceView, 'id' | 'browser' | 'system' | 'place'> & {
  trustedAt: string;
  endsAt: string;
};

const device = { id: uuid, browser: text, system: text, place: text };
const deviceView = view<DeviceView>({
  ...device,
  firstSeenAt: time,
  lastSeenAt: time,
  isCurrent: flag,
});
const trustedDeviceView = view<TrustedDeviceView>({ ...device, trustedAt: time, endsAt: time });

type None = Record<never, never>;

/** The endpoints of the sessions: of the caller's own, and for admins of those of a user. */
export const publicSessionEndpoints = {
  /** This device first, then the one used last. */
  listDevices: forSessions<None, { data: DeviceView[] }>({
    method: 'GET',
    path: '/api/sessions',
    whileViewing: true,
    reply: { data: listOf(deviceView) },
  }),
  endSession: forSessions<{ id: string }, { message: string }>({
    method: 'DELETE',
    path: '/api/sessions/:id',
    recent: true,
    input: { id: uuid },
    reply: { message },
  }),
  /** `ended`: how many sessions were ended. */
  endOtherSessions: forSessions<None, { ended: number }>({
    method: 'POST',
    path: '/api/sessions/end-others',
    recent: true,
    reply: { ended: count },
  }),
  endAllSessions: forSessions<None, { ended: number }>({
    method: 'POST',
    path: '/api/sessions/end-all',
    recent: true,
    reply: { ended: count },
  }),
  /** The newest first. */
  listTrustedDevices: forSessions<None, { data: TrustedDeviceView[] }>({
    method: 'GET',
    path: '/api/trusted-devices',
    reply: { data: listOf(trustedDeviceView) },
  }),
  removeTrustedDevice: forSessions<{ id: string }, { message: string }>({
    method: 'DELETE',
    path: '/api/trusted-devices/:id',
    recent: true,
    input: { id: uuid },
    reply: { message },
  }),
  countUserSessions: forAdmins<{ id: string }, { count: number }>({
    method: 'GET',
    path: '/api/users/:id/sessions',
    permission: 'users.read',
    input: { id: uuid },
    reply: { count },
  }),
  endUserSessions: forAdmins<{ id: string }, { message: string }>({
    method: 'DELETE',
    path: '/api/users/:id/sessions',
    permission: 'sessions.end',
    recent: true,
    input: { id: uuid },
    reply: { message },
  }),
  /** The newest first. */
  listSignIns: forSessions<None, { data: SignInView[] }>({
    method: 'GET',
    path: '/api/sign-ins',
    whileViewing: true,
    reply: { data: listOf(signInView) },
  }),
  listUserSignIns: forAdmins<{ id: string }, { data: SignInView[] }>({
    method: 'GET',
    path: '/api/users/:id/sign-ins',
    permission: 'users.read',
    input: { id: uuid },
    reply: { data: listOf(signInView) },
  }),
} as const;
