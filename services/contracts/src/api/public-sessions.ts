import Joi from 'joi';
import type { AdminRole } from '../admin-permissions.ts';
import {
  ASSERTION_BYTES,
  factorReason,
  type PasskeyAssertion,
  passkeyAssertion,
  passkeyName,
  type PasskeyRegistration,
  passkeyRegistration,
  recoveryCode,
  REGISTRATION_BYTES,
  totpCode,
} from '../schemas/factors.ts';
import { loginPassword } from '../schemas/password.ts';
import { userId } from '../schemas/text.ts';
import type { FactorsView, PasskeyOptions, PasskeyView, SecondFactorMethod } from './factors.ts';
import type { Role } from './identity.ts';
import { forAdmins, forEverybody, forSessions } from './public-endpoint.ts';
import type { SignInView } from './sign-ins.ts';
import type { UserView } from './user-view.ts';

const ticketSchema = Joi.string()
  .pattern(/^[A-Za-z0-9_-]{43}$/)
  .required();

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
  listDevices: forSessions<None, { data: DeviceView[] }>({
    method: 'GET',
    path: '/api/sessions',
    whileViewing: true,
  }),
  endSession: forSessions<{ id: string }, { message: string }>({
    method: 'DELETE',
    path: '/api/sessions/:id',
    recent: true,
    input: { id: userId },
  }),
  /** `ended`: how many sessions were ended. */
  endOtherSessions: forSessions<None, { ended: number }>({
    method: 'POST',
    path: '/api/sessions/end-others',
    recent: true,
  }),
  endAllSessions: forSessions<None, { ended: number }>({
    method: 'POST',
    path: '/api/sessions/end-all',
    recent: true,
  }),
  /** The newest first. */
  listTrustedDevices: forSessions<None, { data: TrustedDeviceView[] }>({
    method: 'GET',
    path: '/api/trusted-devices',
  }),
  removeTrustedDevice: forSessions<{ id: string }, { message: string }>({
    method: 'DELETE',
    path: '/api/trusted-devices/:id',
    recent: true,
    input: { id: userId },
  }),
  countUserSessions: forAdmins<{ id: string }, { count: number }>({
    method: 'GET',
    path: '/api/users/:id/sessions',
    permission: 'users.read',
    input: { id: userId },
  }),
  endUserSessions: forAdmins<{ id: string }, { message: string }>({
    method: 'DELETE',
    path: '/api/users/:id/sessions',
    permission: 'sessions.end',
    recent: true,
    input: { id: userId },
  }),
  /** The newest first. */
  listSignIns: forSessions<None, { data: SignInView[] }>({
    method: 'GET',
    path: '/api/sign-ins',
    whileViewing: true,
  }),
  listUserSignIns: forAdmins<{ id: string }, { data: SignInView[] }>({
    method: 'GET',
    path: '/api/users/:id/sign-ins',
    permission: 'users.read',
    input: { id: userId },
  }),
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
  secondFactor: forEverybody<SecondFactorInput, LogInReply>({
    method: 'POST',
    path: '/api/login/second-factor',
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: Joi.object({
      ticket: ticketSchema,
      remember: Joi.boolean(),
      code: totpCode.optional(),
      recoveryCode: recoveryCode.optional(),
      passkey: passkeyAssertion.optional(),
    }).xor('code', 'recoveryCode', 'passkey'),
  }),
  secondFactorPasskey: forEverybody<{ ticket: string }, { data: PasskeyOptions }>({
    method: 'POST',
    path: '/api/login/second-factor/passkey',
    beforeSecondFactor: true,
    input: { ticket: ticketSchema },
  }),
  passkeyLogInOptions: forEverybody<None, { data: PasskeyOptions }>({
    method: 'POST',
    path: '/api/login/passkey/options',
    beforeSecondFactor: true,
  }),
  passkeyLogIn: forEverybody<{ passkey: PasskeyAssertion; role: Role }, LogInReply>({
    method: 'POST',
    path: '/api/login/passkey',
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: { passkey: passkeyAssertion, role: Joi.string().valid('user', 'admin').required() },
  }),
  /** How the caller can prove again who they are. A POST, because it creates the challenge of a passkey. */
  reauthentication: forSessions<None, { data: ReauthenticationView }>({
    method: 'POST',
    path: '/api/session/reauthentication',
    beforeSecondFactor: true,
  }),
  reauthenticate: forSessions<ReauthenticationInput, Message>({
    method: 'POST',
    path: '/api/session/reauthenticate',
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: Joi.object({
      password: loginPassword.optional(),
      code: totpCode.optional(),
      recoveryCode: recoveryCode.optional(),
      passkey: passkeyAssertion.optional(),
    }).xor('password', 'code', 'recoveryCode', 'passkey'),
  }),
  factors: forSessions<None, { data: FactorsView }>({
    method: 'GET',
    path: '/api/factors',
    whileViewing: true,
    beforeSecondFactor: true,
  }),
  startTotp: forSessions<None, { data: { secret: string; email: string } }>({
    method: 'POST',
    path: '/api/factors/totp',
    recent: true,
    beforeSecondFactor: true,
  }),
  confirmTotp: forSessions<{ code: string }, { data: { recoveryCodes: string[] } }>({
    method: 'POST',
    path: '/api/factors/totp/confirm',
    recent: true,
    beforeSecondFactor: true,
    input: { code: totpCode },
  }),
  removeTotp: forSessions<None, Message>({
    method: 'DELETE',
    path: '/api/factors/totp',
    recent: true,
    beforeSecondFactor: true,
  }),
  renewRecoveryCodes: forSessions<None, { data: { recoveryCodes: string[] } }>({
    method: 'POST',
    path: '/api/factors/recovery-codes',
    recent: true,
    beforeSecondFactor: true,
  }),
  passkeyOptions: forSessions<None, { data: PasskeyOptions }>({
    method: 'POST',
    path: '/api/factors/passkeys/options',
    recent: true,
    beforeSecondFactor: true,
  }),
  addPasskey: forSessions<{ passkey: PasskeyRegistration; name: string }, { data: PasskeyView }>({
    method: 'POST',
    path: '/api/factors/passkeys',
    recent: true,
    beforeSecondFactor: true,
    bodyBytes: REGISTRATION_BYTES,
    input: { passkey: passkeyRegistration, name: passkeyName },
  }),
  renamePasskey: forSessions<{ passkeyId: string; name: string }, { data: PasskeyView }>({
    method: 'PUT',
    path: '/api/factors/passkeys/:passkeyId',
  }),
  removePasskey: forSessions<{ passkeyId: string }, Message>({
    method: 'DELETE',
    path: '/api/factors/passkeys/:passkeyId',
    recent: true,
    beforeSecondFactor: true,
    input: { passkeyId: userId },
  }),
  userFactors: forAdmins<{ userId: string }, { data: FactorsView }>({
    method: 'GET',
    path: '/api/users/:userId/factors',
    permission: 'users.read',
    input: { userId },
  }),
  removeUserFactors: forAdmins<{ userId: string; reason: string }, Message>({
    method: 'POST',
    path: '/api/users/:userId/factors/remove',
    permission: 'factors.remove',
    recent: true,
    input: { userId, reason: factorReason },
  }),
} as const;
