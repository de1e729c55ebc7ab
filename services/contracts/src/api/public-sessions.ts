import { defineEndpoint } from './endpoint.ts';
import type { SignInView } from './sign-ins.ts';

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

type None = Record<never, never>;

/** The endpoints of the sessions: of the caller's own, and for admins of those of a user. */
export const publicSessionEndpoints = {
  /** This device first, then the one used last. */
  listDevices: defineEndpoint<None, { data: DeviceView[] }>('GET', '/api/sessions'),
  endSession: defineEndpoint<{ id: string }, { message: string }>('DELETE', '/api/sessions/:id'),
  /** `ended`: how many sessions were ended. */
  endOtherSessions: defineEndpoint<None, { ended: number }>('POST', '/api/sessions/end-others'),
  endAllSessions: defineEndpoint<None, { ended: number }>('POST', '/api/sessions/end-all'),
  /** The newest first. */
  listTrustedDevices: defineEndpoint<None, { data: TrustedDeviceView[] }>('GET', '/api/trusted-devices'),
  removeTrustedDevice: defineEndpoint<{ id: string }, { message: string }>(
    'DELETE',
    '/api/trusted-devices/:id',
  ),
  countUserSessions: defineEndpoint<{ id: string }, { count: number }>('GET', '/api/users/:id/sessions'),
  endUserSessions: defineEndpoint<{ id: string }, { message: string }>('DELETE', '/api/users/:id/sessions'),
  /** The newest first. */
  listSignIns: defineEndpoint<None, { data: SignInView[] }>('GET', '/api/sign-ins'),
  listUserSignIns: defineEndpoint<{ id: string }, { data: SignInView[] }>('GET', '/api/users/:id/sign-ins'),
} as const;
