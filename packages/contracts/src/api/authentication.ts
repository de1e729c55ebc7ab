import Joi from 'joi';
import { PICTURE_NAME } from '../limits.ts';
import {
  type AdminFields,
  adminSignupSchema,
  emailSchema,
  type LoginInput,
  loginPassword,
  loginSchema,
  mailedCode,
  mailedToken,
  type SignupInput,
  termsVersion,
} from '../schemas/account.ts';
import * as rule from '../schemas/validation.ts';
import { account, type Role, ROLES } from './identity.ts';
import { forEverybody, forSessions, forUsers, operationsOf } from './operation.ts';
import {
  accountFactors,
  ASSERTION_BYTES,
  assertionCeremony,
  passkeyAssertion,
  passkeyOptions,
  recoveryCode,
  totpCode,
} from './factors.ts';
import { subscriptionView } from './billing.ts';
import { userView } from './profile.ts';
import { originFields, SIGN_IN_METHODS, type SignInMethod, type SignInOrigin } from './sessions.ts';
import { adminRole } from './team.ts';

const role = rule.oneOf(ROLES);
const method = rule.oneOf(SIGN_IN_METHODS);

const SECOND_FACTOR_METHODS = ['totp', 'recovery', 'passkey'] as const;
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number];

/** A session begins only while the account still has this `generation`. `deletionDueAt`: when the account will be deleted, if requested. */
const provenAccount = { ...account, generation: rule.count, deletionDueAt: rule.mayLack(rule.time) };
export type ProvenAccount = rule.TypeOf<typeof provenAccount>;
const provenIdentity = rule.view({ ...provenAccount, factors: accountFactors });
export type ProvenIdentity = rule.TypeOf<typeof provenIdentity>;

const proof = rule.oneMemberOf({
  password: loginPassword,
  code: totpCode,
  recoveryCode,
  passkey: assertionCeremony,
});
export type IdentityProof = rule.TypeOf<typeof proof>;

/** `isKnownDevice`: whether the client has a device cookie of the account. */
const newSignIn = { ...originFields, method, id: rule.uuid, sessionId: rule.uuid, isKnownDevice: rule.flag };
export type NewSignIn = rule.TypeOf<typeof newSignIn>;

/** The account, by its id or by its email and role. It may not exist. */
export type FailedSignIn = SignInOrigin & {
  method: SignInMethod;
  /** Whether unknown devices must wait from now on. */
  isLocking: boolean;
} & ({ id: string } | { email: string; role: Role });

const operation = operationsOf('identity');
const byUser = operationsOf('identity', { roles: ['user'], self: 'id' });
const byAnonymous = operationsOf('identity', { roles: ['anonymous'] });
const byService = operationsOf('identity', { roles: ['service'] });

/** identity's operations for log-ins. bff records completed log-ins, because only bff knows when one is complete and where it comes from. */
export const logInEndpoints = {
  verifyCredentials: byAnonymous('POST /credentials/verify', {
    input: rule.ofType<LoginInput & { role: Role }>(loginSchema.append({ role })),
    reply: { data: rule.view(provenAccount), factors: accountFactors },
  }),
  prove: byService('POST /accounts/:userId/prove', { input: { proof }, reply: { data: provenIdentity } }),
  /** The account of a passkey whose authenticator has verified the user. */
  logInWithPasskey: byAnonymous('POST /credentials/passkey', {
    input: { passkey: assertionCeremony, role },
    reply: { data: provenIdentity },
  }),
  /** A log-in of an admin is also added to the audit log, with the caller's network address. */
  recordSignIn: byService('POST /accounts/:id/sign-ins', { input: newSignIn }),
  /** The response is the same for an unknown account. */
  recordFailedSignIn: byService('POST /failed-sign-ins', {
    input: rule.ofType<FailedSignIn>(
      Joi.object({
        ...originFields,
        method,
        isLocking: rule.flag,
        id: rule.uuid.optional(),
        email: Joi.string().max(254),
        role: role.optional(),
      })
        .xor('id', 'email')
        .and('email', 'role'),
    ),
  }),
} as const;

const ticket = rule.textLike(/^[A-Za-z0-9_-]{43}$/);
const factors = { code: totpCode, recoveryCode, passkey: passkeyAssertion };
/** `remember`: this device skips the second step for TRUSTED_DEVICE_DAYS. */
const secondFactor = rule.oneMemberOf(factors, { ticket, remember: rule.mayLack(Joi.boolean()) });
const reauthentication = rule.oneMemberOf({ password: loginPassword, ...factors });
export type ReauthenticationInput = rule.TypeOf<typeof reauthentication>;
export type SecondFactorProof = Exclude<ReauthenticationInput, { password: string }>;
export type ReauthenticationMethod = 'password' | SecondFactorMethod;
/** The second step of a log-in: the ticket from the first step, and the methods to choose from. */
const secondStep = rule.view({ ticket: rule.text, methods: rule.listOf(rule.oneOf(SECOND_FACTOR_METHODS)) });
export type SecondStep = rule.TypeOf<typeof secondStep>;
const secondStepReply = rule.view({ message: rule.oneOf(['second factor']), data: secondStep });
export type SecondStepReply = rule.TypeOf<typeof secondStepReply>;

/**
 * `subscription`: set if it has a payment problem. `deletionDueAt`: set if the account is about to be deleted; the session may then only keep it.
 */
export const checkedUser = {
  remainingTime: rule.count,
  user: userView,
  subscription: rule.mayLack(subscriptionView),
  deletionDueAt: rule.mayLack(rule.time),
};
const begunUserSession = rule.view({ token: rule.text, ...checkedUser });
const userLogIn = rule.view({ message: rule.oneOf(['login']), data: begunUserSession });
export type UserLogIn = rule.TypeOf<typeof userLogIn>;
/** `needsSecondFactor`: the session may only set up a second factor. */
const adminLogIn = rule.view({
  message: rule.oneOf(['login success']),
  credentials: rule.view({ token: rule.text, expiresIn: rule.count }),
  role: adminRole,
  needsSecondFactor: rule.mayLack(rule.flag),
});
export type AdminLogIn = rule.TypeOf<typeof adminLogIn>;
export type LogInReply = UserLogIn | AdminLogIn;
const logIn = rule.either(userLogIn, adminLogIn);
/** `passkey`: the options of a passkey prompt, if the account has a passkey. */
const reauthenticationView = rule.view({
  methods: rule.listOf(rule.oneOf(['password', ...SECOND_FACTOR_METHODS])),
  passkey: rule.nullable(passkeyOptions),
});
export type ReauthenticationView = rule.TypeOf<typeof reauthenticationView>;

// Validated in the handler, because an invalid log-in has its own error code (docs/product.md).
const anyInput = rule.ofType<LoginInput>(Joi.object().unknown());
/** `termsVersion`: the terms that the user accepted; without one, no consent is stored. */
export type NewAccount = SignupInput & AdminFields & { picture: string | null; termsVersion?: string | null };

export type RegisteredUser = Omit<NewAccount, 'password' | 'termsVersion'> & {
  id: string;
  createdAt: string;
};
const registered = rule.mayLack(rule.ofType<RegisteredUser>(Joi.object().unknown()));

const emailAvailability = { input: { email: emailSchema }, reply: { available: rule.flag } } as const;

export const signUpEndpoints = {
  /** `isPending`: the account is created once its email is confirmed; until then `id` is the registration's. */
  register: operation('POST /accounts', {
    roles: ['anonymous', 'admin'],
    status: 201,
    input: rule.ofType<NewAccount>(
      adminSignupSchema.append({
        picture: Joi.string().pattern(PICTURE_NAME).allow(null).required(),
        termsVersion: termsVersion.optional().allow(null),
      }),
    ),
    reply: { data: rule.view(account), isPending: rule.flag },
  }),
  emailAvailability: operation('GET /accounts/email-availability', {
    ...emailAvailability,
    roles: ['anonymous', 'user', 'admin'],
  }),
  /** Causes another email with a link and a code, unless the address is confirmed. */
  requestVerification: byUser('POST /accounts/:id/email/verification', { status: 202 }),
  /** `registered`: the user, if this created the account from a pending registration. */
  verifyEmail: operation('POST /email-verifications/use', {
    roles: ['anonymous', 'user'],
    input: { token: mailedToken },
    reply: { data: rule.view({ userId: rule.uuid, email: rule.text, registered }) },
  }),
  /** Throws `identity.email_code_wrong`; after too many wrong codes, even for the right one. */
  verifyEmailCode: byUser('POST /accounts/:id/email/code', {
    input: { code: mailedCode },
    reply: { data: rule.view({ userId: rule.uuid, email: rule.text }) },
  }),
} as const;

const newUser = rule.view({
  id: rule.uuid,
  email: rule.text,
  picture: rule.nullable(rule.text),
  /** Set if the account is only created once its email is confirmed. */
  isPending: rule.mayLack(rule.flag),
  /** The new session, if a sign-up also logs in (LOG_IN_AFTER_SIGN_UP). */
  logIn: rule.mayLack(begunUserSession),
});
const confirmed = { data: rule.view({ email: rule.text }) };

export const publicAuthenticationEndpoints = {
  login: forEverybody('POST /login', {
    beforeSecondFactor: true,
    input: anyInput,
    reply: rule.either(userLogIn, secondStepReply),
  }),
  adminLogin: forEverybody('POST /super-admin-authentication', {
    beforeSecondFactor: true,
    input: anyInput,
    reply: rule.either(adminLogIn, secondStepReply),
  }),
  logout: forEverybody('POST /api/logout', {
    whileViewing: true,
    beforeSecondFactor: true,
    reply: rule.noData,
  }),
  secondFactor: forEverybody('POST /api/login/second-factor', {
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: secondFactor,
    reply: logIn,
  }),
  secondFactorPasskey: forEverybody('POST /api/login/second-factor/passkey', {
    beforeSecondFactor: true,
    input: { ticket },
    reply: { data: passkeyOptions },
  }),
  passkeyLogInOptions: forEverybody('POST /api/login/passkey/options', {
    beforeSecondFactor: true,
    reply: { data: passkeyOptions },
  }),
  passkeyLogIn: forEverybody('POST /api/login/passkey', {
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: { passkey: passkeyAssertion, role },
    reply: logIn,
  }),
  /** The ways in which the caller can prove their identity again. A POST, because it creates the challenge of a passkey. */
  reauthentication: forSessions('POST /api/session/reauthentication', {
    beforeSecondFactor: true,
    reply: { data: reauthenticationView },
  }),
  reauthenticate: forSessions('POST /api/session/reauthenticate', {
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: reauthentication,
    reply: rule.noData,
  }),
  signup: forEverybody('POST /signup', {
    permission: 'users.create',
    body: 'form',
    status: 201,
    reply: { message: rule.message, data: newUser },
  }),
  emailAvailability: forEverybody('GET /api/email-availability', { ...emailAvailability }),
  /** Confirms an email by the token of a link. Requires no session. */
  verifyEmail: forEverybody('POST /api/email/verify', { input: { token: mailedToken }, reply: confirmed }),
  verifyEmailCode: forUsers('POST /api/email/verify-code', { input: { code: mailedCode }, reply: confirmed }),
  resendVerification: forUsers('POST /api/email/resend', {
    whileViewing: true,
    status: 202,
    reply: rule.noData,
  }),
} as const;
