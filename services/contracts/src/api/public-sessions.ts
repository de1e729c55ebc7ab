import type { AdminRole } from '../admin-permissions.ts';
import type { PasskeyAssertion, PasskeyRegistration } from '../schemas/factors.ts';
import { defineEndpoint } from './endpoint.ts';
import type { SignInView } from './sign-ins.ts';
import type { FactorsView, PasskeyOptions, PasskeyView, SecondFactorMethod } from './factors.ts';
import type { Role } from './identity.ts';
import type { UserView } from './user-view.ts';

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

type Message = { message: string };

/** What the second step of a log-in takes: the ticket from the first, and one of the methods. */
export type SecondStep = { ticket: string; methods: SecondFactorMethod[] };
export type SecondStepReply = { message: 'second factor'; data: SecondStep };
/** `deletionDueAt`: the account is about to be deleted, and the session may only keep it. */
export type UserLogIn = {
  message: 'login';
  data: { token: string; user: UserView; remainingTime: number; deletionDueAt?: string };
};
/** `needsSecondFactor`: the session may only set up a second factor. */
export type AdminLogIn = {
  message: 'login success';
  credentials: { token: string; expiresIn: number };
  role: AdminRole;
  needsSecondFactor?: boolean;
};
export type LogInReply = UserLogIn | AdminLogIn;

export type SecondFactorProof = { code: string } | { recoveryCode: string } | { passkey: PasskeyAssertion };
/** `remember`: this device skips the second step for TRUSTED_DEVICE_DAYS. */
export type SecondFactorInput = { ticket: string; remember?: boolean } & SecondFactorProof;

export type ReauthenticationMethod = 'password' | SecondFactorMethod;
export type ReauthenticationInput = { password: string } | SecondFactorProof;
/** `passkey`: the options of a passkey prompt, where the account has one. */
export type ReauthenticationView = { methods: ReauthenticationMethod[]; passkey: PasskeyOptions | null };

/** The endpoints about log-in with more than a password. */
export const publicFactorEndpoints = {
  secondFactor: defineEndpoint<SecondFactorInput, LogInReply>('POST', '/api/login/second-factor'),
  secondFactorPasskey: defineEndpoint<{ ticket: string }, { data: PasskeyOptions }>(
    'POST',
    '/api/login/second-factor/passkey',
  ),
  passkeyLogInOptions: defineEndpoint<None, { data: PasskeyOptions }>('POST', '/api/login/passkey/options'),
  passkeyLogIn: defineEndpoint<{ passkey: PasskeyAssertion; role: Role }, LogInReply>(
    'POST',
    '/api/login/passkey',
  ),
  /** How the caller can prove again who they are. A POST, because it creates the challenge of a passkey. */
  reauthentication: defineEndpoint<None, { data: ReauthenticationView }>(
    'POST',
    '/api/session/reauthentication',
  ),
  reauthenticate: defineEndpoint<ReauthenticationInput, Message>('POST', '/api/session/reauthenticate'),
  factors: defineEndpoint<None, { data: FactorsView }>('GET', '/api/factors'),
  startTotp: defineEndpoint<None, { data: { secret: string; email: string } }>('POST', '/api/factors/totp'),
  confirmTotp: defineEndpoint<{ code: string }, { data: { recoveryCodes: string[] } }>(
    'POST',
    '/api/factors/totp/confirm',
  ),
  removeTotp: defineEndpoint<None, Message>('DELETE', '/api/factors/totp'),
  renewRecoveryCodes: defineEndpoint<None, { data: { recoveryCodes: string[] } }>(
    'POST',
    '/api/factors/recovery-codes',
  ),
  passkeyOptions: defineEndpoint<None, { data: PasskeyOptions }>('POST', '/api/factors/passkeys/options'),
  addPasskey: defineEndpoint<{ passkey: PasskeyRegistration; name: string }, { data: PasskeyView }>(
    'POST',
    '/api/factors/passkeys',
  ),
  renamePasskey: defineEndpoint<{ passkeyId: string; name: string }, { data: PasskeyView }>(
    'PUT',
    '/api/factors/passkeys/:passkeyId',
  ),
  removePasskey: defineEndpoint<{ passkeyId: string }, Message>('DELETE', '/api/factors/passkeys/:passkeyId'),
  userFactors: defineEndpoint<{ id: string }, { data: FactorsView }>('GET', '/api/users/:id/factors'),
  removeUserFactors: defineEndpoint<{ id: string; reason: string }, Message>(
    'POST',
    '/api/users/:id/factors/remove',
  ),
} as const;
