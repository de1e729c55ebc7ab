import Joi from 'joi';
import { DIRECTORY_PAGE_MAX } from '../limits.ts';
import { factorReason } from './factors.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, forAdmins, forSessions, operationsOf, toAdmins, toSessions } from './operation.ts';

export const SIGN_IN_METHODS = ['password', 'code', 'recovery_code', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

const shortText = (longest: number) => Joi.string().allow('').max(longest).required();
/** Where a log-in comes from: browser, system and place by name, and the network of the IP address; '' if unknown. */
export const originFields = {
  browser: shortText(40),
  system: shortText(40),
  network: shortText(50),
  place: shortText(100),
};
export const signInOrigin = rule.view(originFields);
export type SignInOrigin = rule.TypeOf<typeof signInOrigin>;

/** A log-in, or consecutive failed ones. Times are ISO 8601. */
export const signInView = rule.view({
  id: rule.uuid,
  browser: rule.text,
  system: rule.text,
  place: rule.text,
  /** The last attempt, if several failed. */
  at: rule.time,
  outcome: rule.oneOf(['succeeded', 'failed']),
  /** `support`: an admin viewed the account, without the user's credentials. */
  method: rule.oneOf([...SIGN_IN_METHODS, 'support']),
  /** The number of consecutive failures; 1 for a success. */
  attempts: rule.count,
  isNewDevice: rule.flag,
  isLocked: rule.flag,
});
export type SignInView = rule.TypeOf<typeof signInView>;

const operation = operationsOf('identity');

/** identity's history of log-ins, including views by admins. */
export const signInEndpoints = {
  /** The newest first. */
  listSignIns: operation('GET /accounts/:id/sign-ins', {
    roles: ['user', 'admin'],
    self: 'id',
    reply: { data: rule.listOf(signInView) },
    public: {
      listSignIns: toSessions('/api/sign-ins', { whileViewing: true }),
      listUserSignIns: toAdmins('/api/users/:id/sign-ins', { permission: 'users.read' }),
    },
  }),
  /** Of those among the accounts that have logged in within the time of the history. */
  listLastLogIns: operation('GET /last-log-ins', {
    roles: ['admin'],
    input: { ids: rule.idList(DIRECTORY_PAGE_MAX) },
    reply: { data: rule.listOf(rule.view({ userId: rule.uuid, at: rule.time })) },
  }),
  recordViewing: operation('POST /accounts/:id/viewings', {
    roles: ['admin'],
    input: { reason: factorReason, sessionId: rule.uuid },
  }),
} as const;

const device = {
  id: rule.uuid,
  /** Names of products, such as Firefox and macOS; '' when unknown. */
  browser: rule.text,
  system: rule.text,
  /** City and country of the network, or ''; known only where the operator has configured a database of places. */
  place: rule.text,
};

const session = {
  ...device,
  firstSeenAt: rule.time,
  /** Updated at most once a minute. */
  lastSeenAt: rule.time,
};
/** A session of the caller, named after the device on which it began. Times are ISO 8601. */
const deviceView = rule.view({ ...session, isCurrent: rule.flag });
export type DeviceView = rule.TypeOf<typeof deviceView>;

/** A session of a user, for admins. */
const userDeviceView = rule.view(session);
export type UserDeviceView = rule.TypeOf<typeof userDeviceView>;

/** A device that skips the second step of the caller's log-ins until `endsAt`. */
const trustedDeviceView = rule.view({ ...device, trustedAt: rule.time, endsAt: rule.time });
export type TrustedDeviceView = rule.TypeOf<typeof trustedDeviceView>;

/** Whether API keys, connected apps and webhooks end with the sessions. */
const withAccess = { withAccess: rule.mayLack(rule.flag) };
const endSessions = { recent: true, input: withAccess, reply: { ended: rule.count } } as const;

export const publicSessionEndpoints = {
  ...addressesOf(signInEndpoints),
  /** This device first, then the most recently used. */
  listDevices: forSessions('GET /api/sessions', {
    whileViewing: true,
    reply: { data: rule.listOf(deviceView) },
  }),
  endSession: forSessions('DELETE /api/sessions/:id', { recent: true, reply: rule.noData }),
  endOtherSessions: forSessions('POST /api/sessions/end-others', endSessions),
  endAllSessions: forSessions('POST /api/sessions/end-all', endSessions),
  /** The newest first. */
  listTrustedDevices: forSessions('GET /api/trusted-devices', {
    whileViewing: true,
    reply: { data: rule.listOf(trustedDeviceView) },
  }),
  removeTrustedDevice: forSessions('DELETE /api/trusted-devices/:id', { recent: true, reply: rule.noData }),
  /** The most recently used first. */
  listUserDevices: forAdmins('GET /api/users/:id/devices', {
    permission: 'users.read',
    reply: { data: rule.listOf(userDeviceView) },
  }),
  endUserDevice: forAdmins('DELETE /api/users/:id/devices/:sessionId', {
    permission: 'sessions.end',
    recent: true,
    reply: rule.noData,
  }),
  endUserSessions: forAdmins('DELETE /api/users/:id/sessions', {
    permission: 'sessions.end',
    recent: true,
    input: withAccess,
    reply: rule.noData,
  }),
  /** Begins a session of VIEWING_SECONDS that may only read, as a user; `logout` ends it. */
  startViewing: forAdmins('POST /api/users/:id/view', {
    permission: 'impersonate',
    recent: true,
    input: { reason: factorReason },
    reply: { data: rule.view({ token: rule.text, remainingTime: rule.count }) },
  }),
} as const;
