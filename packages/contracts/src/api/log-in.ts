import Joi from 'joi';
import type { AdminRole } from '../admin-permissions.ts';
import { type LoginInput, loginPassword, loginSchema } from '../schemas/account.ts';
import {
  ASSERTION_BYTES,
  assertionCeremony,
  type PasskeyAssertion,
  passkeyAssertion,
  type PasskeyCeremony,
  type PasskeyOptions,
  passkeyOptions,
  recoveryCode,
  totpCode,
} from '../schemas/factors.ts';
import {
  count,
  listOf,
  type Message,
  message,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';

import { subscriptionView, type SubscriptionView } from './billing.ts';
import type { Account, Role } from './identity.ts';
import { userView, type UserView } from './profile.ts';
import { forEverybody, forSessions } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';
import { originFields, SIGN_IN_METHODS, type SignInMethod, type SignInOrigin } from './sessions.ts';
import { adminRole } from './team.ts';

const role = oneOf<Role>(['user', 'admin']);
const method = oneOf(SIGN_IN_METHODS);

const SECOND_FACTOR_METHODS = ['totp', 'recovery', 'passkey'] as const;
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number];

/** The factors of an account, for a log-in. `fingerprint` changes with each factor, the password and the generation of the account. */
export type AccountFactors = { totp: boolean; recoveryCodes: number; passkeys: number; fingerprint: string };

/**
 * An account that logs in. `generation`: read together with what was proved; a session begins only while the account has it.
 * `deletionDueAt`: when it is deleted, if its user has requested that.
 */
export type ProvenAccount = Account & { generation: number; deletionDueAt?: string };
/** What a user presents to prove who they are. */
export type IdentityProof =
  { password: string } | { code: string } | { recoveryCode: string } | { passkey: PasskeyCeremony };
export type ProvenIdentity = ProvenAccount & { factors: AccountFactors };

const proof = Joi.object<IdentityProof>({
  password: loginPassword.optional(),
  code: totpCode.optional(),
  recoveryCode: recoveryCode.optional(),
  passkey: assertionCeremony.optional(),
})
  .xor('password', 'code', 'recoveryCode', 'passkey')
  .required();

export type NewSignIn = SignInOrigin & {
  id: string;
  method: SignInMethod;
  sessionId: string;
  /** Whether the client has a device cookie of the account. */
  isKnownDevice: boolean;
};

/** The account by its id, or by its address and role, of which there may be none. */
export type FailedSignIn = SignInOrigin & {
  method: SignInMethod;
  /** Whether unknown devices have to wait from now on. */
  isLocking: boolean;
} & ({ id: string } | { email: string; role: Role });

/** identity's endpoints of a log-in. bff records log-ins when they are complete: it knows that, and where they come from. */
export const logInEndpoints = {
  verifyCredentials: serviceEndpoint<
    LoginInput & { role: Role },
    { data: ProvenAccount; factors: AccountFactors }
  >({
    method: 'POST',
    path: '/credentials/verify',
    roles: ['anonymous'],
    input: loginSchema.append<LoginInput & { role: Role }>({ role }),
  }),
  /** Verifies one proof of an account. */
  prove: serviceEndpoint<{ userId: string; proof: IdentityProof }, { data: ProvenIdentity }>({
    method: 'POST',
    path: '/accounts/:userId/prove',
    roles: ['service'],
    input: { userId: uuid, proof: proof as unknown as Joi.AlternativesSchema },
  }),
  /** The account of a passkey, which the authenticator has verified its user for. */
  logInWithPasskey: serviceEndpoint<{ passkey: PasskeyCeremony; role: Role }, { data: ProvenIdentity }>({
    method: 'POST',
    path: '/credentials/passkey',
    roles: ['anonymous'],
    input: { passkey: assertionCeremony, role },
  }),
  /** Adds that of an admin to the audit log too, with the address of the caller. */
  recordSignIn: serviceEndpoint<NewSignIn, None>({
    method: 'POST',
    path: '/accounts/:id/sign-ins',
    roles: ['service'],
    input: {
      ...originFields,
      method,
      id: uuid,
      sessionId: uuid,
      isKnownDevice: Joi.boolean().required(),
    },
  }),
  /** The response is the same for an unknown account. */
  recordFailedSignIn: serviceEndpoint<FailedSignIn, None>({
    method: 'POST',
    path: '/failed-sign-ins',
    roles: ['service'],
    input: Joi.object<FailedSignIn>({
      ...originFields,
      method,
      isLocking: Joi.boolean().required(),
      id: uuid.optional(),
      email: Joi.string().max(254),
      role: role.optional(),
    })
      .xor('id', 'email')
      .and('email', 'role'),
  }),
} as const;

export type SecondStepReply = { message: 'second factor'; data: SecondStep };
/**
 * A user's session. `subscription`: a payment for it is in trouble, about which the first page shows a bar. `deletionDueAt`: the account is
 * about to be deleted, and the session may only keep it.
 */
export type CheckedUser = {
  remainingTime: number;
  user: UserView;
  subscription?: SubscriptionView;
  deletionDueAt?: string;
};
export type UserLogIn = { message: 'login'; data: CheckedUser & { token: string } };
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
const ticketSchema = Joi.string()
  .pattern(/^[A-Za-z0-9_-]{43}$/)
  .required();
/** What the second step of a log-in takes: the ticket from the first, and one of the methods. */
const secondStep = view({ ticket: text, methods: listOf(oneOf(SECOND_FACTOR_METHODS)) });
export type SecondStep = TypeOf<typeof secondStep>;
export const checkedUser = {
  remainingTime: count,
  user: userView,
  subscription: subscriptionView.optional(),
  deletionDueAt: time.optional(),
};
export const begunUserSession = Joi.object({ token: text, ...checkedUser });
const userLogIn = Joi.object({
  message: Joi.valid('login').required(),
  data: begunUserSession.required(),
});
const adminLogIn = Joi.object({
  message: Joi.valid('login success').required(),
  credentials: Joi.object({ token: text, expiresIn: count }).required(),
  role: adminRole,
  needsSecondFactor: Joi.boolean(),
});
const secondStepReply = Joi.object({ message: Joi.valid('second factor').required(), data: secondStep });
const logIn = Joi.alternatives(userLogIn, adminLogIn);
const userLogInReply = Joi.alternatives(userLogIn, secondStepReply);
const adminLogInReply = Joi.alternatives(adminLogIn, secondStepReply);
/** `passkey`: the options of a passkey prompt, where the account has one. */
const reauthenticationView = view({
  methods: listOf(oneOf(['password', ...SECOND_FACTOR_METHODS])),
  passkey: nullable(passkeyOptions),
});
export type ReauthenticationView = TypeOf<typeof reauthenticationView>;

// Validated in the handler: the response to an invalid log-in has an error code of its own (docs/product.md).
const anyInput = Joi.object<LoginInput>().unknown();

/** The endpoints with which a session begins and ends, and with which its user proves again who they are. */
export const publicLogInEndpoints = {
  login: forEverybody<LoginInput, UserLogIn | SecondStepReply>({
    method: 'POST',
    path: '/login',
    beforeSecondFactor: true,
    input: anyInput,
    reply: userLogInReply,
  }),
  adminLogin: forEverybody<LoginInput, AdminLogIn | SecondStepReply>({
    method: 'POST',
    path: '/super-admin-authentication',
    beforeSecondFactor: true,
    input: anyInput,
    reply: adminLogInReply,
  }),
  logout: forEverybody<None, Message>({
    method: 'POST',
    path: '/api/logout',
    whileViewing: true,
    beforeSecondFactor: true,
    reply: { message },
  }),
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
    reply: logIn,
  }),
  secondFactorPasskey: forEverybody<{ ticket: string }, { data: PasskeyOptions }>({
    method: 'POST',
    path: '/api/login/second-factor/passkey',
    beforeSecondFactor: true,
    input: { ticket: ticketSchema },
    reply: { data: passkeyOptions },
  }),
  passkeyLogInOptions: forEverybody<None, { data: PasskeyOptions }>({
    method: 'POST',
    path: '/api/login/passkey/options',
    beforeSecondFactor: true,
    reply: { data: passkeyOptions },
  }),
  passkeyLogIn: forEverybody<{ passkey: PasskeyAssertion; role: Role }, LogInReply>({
    method: 'POST',
    path: '/api/login/passkey',
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: { passkey: passkeyAssertion, role },
    reply: logIn,
  }),
  /** How the caller can prove again who they are. A POST, because it creates the challenge of a passkey. */
  reauthentication: forSessions<None, { data: ReauthenticationView }>({
    method: 'POST',
    path: '/api/session/reauthentication',
    beforeSecondFactor: true,
    reply: { data: reauthenticationView },
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
    reply: { message },
  }),
} as const;
