import Joi from 'joi';
import { factorReason } from '../schemas/factors.ts';
import {
  count,
  flag,
  listOf,
  type Message,
  message,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';

import { forAdmins, forSessions } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

/** How a user proved who they are. */
export const SIGN_IN_METHODS = ['password', 'code', 'recovery_code', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Where a log-in comes from: names of products and places, and the network of the address; '' where unknown. */
export type SignInOrigin = { browser: string; system: string; network: string; place: string };

/** A log-in, or failed ones in a row. Times are ISO 8601. */
const signInView = view({
  id: uuid,
  browser: text,
  system: text,
  place: text,
  /** Of failed ones, the last. */
  at: time,
  outcome: oneOf(['succeeded', 'failed']),
  /** `support`: an admin viewed the account, which took no proof of the user. */
  method: oneOf([...SIGN_IN_METHODS, 'support']),
  /** How many in a row failed; 1 for a success. */
  attempts: count,
  isNewDevice: flag,
  /** Whether unknown devices then had to wait. */
  isLocked: flag,
});
export type SignInView = TypeOf<typeof signInView>;

const name = (longest: number) => Joi.string().allow('').max(longest).required();
export const originFields = { browser: name(40), system: name(40), network: name(50), place: name(100) };
export const signInOrigin = Joi.object<SignInOrigin, true>(originFields).required();

/** identity's history of log-ins. */
export const signInEndpoints = {
  /** The newest first. */
  listSignIns: serviceEndpoint<{ id: string }, { data: SignInView[] }>({
    method: 'GET',
    path: '/accounts/:id/sign-ins',
    roles: ['user', 'admin'],
    self: 'id',
    input: { id: uuid },
  }),
} as const;

const device = {
  id: uuid,
  /** Names of products, such as Firefox and macOS; '' when unknown. */
  browser: text,
  system: text,
  /** City and country of the network, or ''; known only where the operator has configured a database of places. */
  place: text,
};

/** A session of the caller, named after the device on which it began. Times are ISO 8601. */
const deviceView = view({
  ...device,
  firstSeenAt: time,
  /** Moves at most once a minute. */
  lastSeenAt: time,
  isCurrent: flag,
});
export type DeviceView = TypeOf<typeof deviceView>;

/** A device that skips the second step of the caller's log-ins until `endsAt`. */
const trustedDeviceView = view({ ...device, trustedAt: time, endsAt: time });
export type TrustedDeviceView = TypeOf<typeof trustedDeviceView>;

/** Whether API keys, connected tools and webhooks end with the sessions. */
type WithAccess = { withAccess?: boolean };
const withAccess = { withAccess: flag.optional() };

/** The endpoints of the sessions: of the caller's own, and for admins of those of a user. */
export const publicSessionEndpoints = {
  /** This device first, then the one used last. */
  listDevices: forSessions<None, { data: DeviceView[] }>({
    method: 'GET',
    path: '/api/sessions',
    whileViewing: true,
    reply: { data: listOf(deviceView) },
  }),
  endSession: forSessions<{ id: string }, Message>({
    method: 'DELETE',
    path: '/api/sessions/:id',
    recent: true,
    input: { id: uuid },
    reply: { message },
  }),
  /** `ended`: how many sessions were ended. */
  endOtherSessions: forSessions<WithAccess, { ended: number }>({
    method: 'POST',
    path: '/api/sessions/end-others',
    recent: true,
    input: withAccess,
    reply: { ended: count },
  }),
  endAllSessions: forSessions<WithAccess, { ended: number }>({
    method: 'POST',
    path: '/api/sessions/end-all',
    recent: true,
    input: withAccess,
    reply: { ended: count },
  }),
  /** The newest first. */
  listTrustedDevices: forSessions<None, { data: TrustedDeviceView[] }>({
    method: 'GET',
    path: '/api/trusted-devices',
    whileViewing: true,
    reply: { data: listOf(trustedDeviceView) },
  }),
  removeTrustedDevice: forSessions<{ id: string }, Message>({
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
  endUserSessions: forAdmins<{ id: string } & WithAccess, Message>({
    method: 'DELETE',
    path: '/api/users/:id/sessions',
    permission: 'sessions.end',
    recent: true,
    input: { id: uuid, ...withAccess },
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

/** identity's record of an admin who views the product as a user. `id` is the user's. */
export const viewingEndpoints = {
  recordViewing: serviceEndpoint<{ id: string; reason: string; sessionId: string }, None>({
    method: 'POST',
    path: '/accounts/:id/viewings',
    roles: ['admin'],
    input: { id: uuid, reason: factorReason, sessionId: uuid },
  }),
} as const;

/** The endpoints with which an admin views the product as a user. */
export const publicViewingEndpoints = {
  /** Begins a session of VIEWING_SECONDS that may only read; `logout` ends it. */
  startViewing: forAdmins<{ id: string; reason: string }, { data: { token: string; remainingTime: number } }>(
    {
      method: 'POST',
      path: '/api/users/:id/view',
      permission: 'impersonate',
      recent: true,
      input: { id: uuid, reason: factorReason },
      reply: { data: Joi.object({ token: text, remainingTime: count }).required() },
    },
  ),
} as const;
