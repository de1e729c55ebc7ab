import Joi from 'joi';
import { PICTURE_NAME } from '../limits.ts';
import {
  type AdminFields,
  adminSignupSchema,
  emailSchema,
  mailedCode,
  mailedToken,
  type SignupInput,
  termsVersion,
} from '../schemas/account.ts';
import { flag, mayLack, message, nullable, ofType, text, uuid, view } from '../schemas/typed.ts';
import { account } from './identity.ts';
import { begunUserSession } from './log-in.ts';
import { forEverybody, forUsers, operationsOf } from './operation.ts';

/** `termsVersion`: the terms that the user accepted; without one, no consent is stored. */
export type NewAccount = SignupInput & AdminFields & { picture: string | null; termsVersion?: string | null };

/** The fields of a user whose registration has become an account. */
export type RegisteredUser = Omit<NewAccount, 'password' | 'termsVersion'> & {
  id: string;
  createdAt: string;
};
const registered = mayLack(ofType<RegisteredUser>(Joi.object().unknown()));

const ofAccount = { id: uuid };
const emailAvailability = { input: { email: emailSchema }, reply: { available: flag } } as const;
const operation = operationsOf('identity');

/** identity's operations of a sign-up, and of the confirmation of its address. */
export const signUpEndpoints = {
  /** `isPending`: the account is created when its address is confirmed by mail; until then `id` is that of the registration. */
  register: operation('POST /accounts', {
    roles: ['anonymous', 'admin'],
    status: 201,
    input: ofType<NewAccount>(
      adminSignupSchema.append({
        picture: Joi.string().pattern(PICTURE_NAME).allow(null).required(),
        termsVersion: termsVersion.optional().allow(null),
      }),
    ),
    reply: { data: view(account), isPending: flag },
  }),
  emailAvailability: operation('GET /accounts/email-availability', {
    ...emailAvailability,
    roles: ['anonymous', 'user', 'admin'],
  }),
  /** Causes another mail with a link and a code; does nothing when the address is confirmed. */
  requestVerification: operation('POST /accounts/:id/email/verification', {
    roles: ['user'],
    self: 'id',
    status: 202,
    input: ofAccount,
    reply: {},
  }),
  /** `registered`: the user of an account that this has created, from a pending registration. */
  verifyEmail: operation('POST /email-verifications/use', {
    roles: ['anonymous', 'user'],
    input: { token: mailedToken },
    reply: { data: view({ userId: uuid, email: text, registered }) },
  }),
  /** Throws `identity.email_code_wrong`, after too many wrong codes also for the right one. */
  verifyEmailCode: operation('POST /accounts/:id/email/code', {
    roles: ['user'],
    self: 'id',
    input: { ...ofAccount, code: mailedCode },
    reply: { data: view({ userId: uuid, email: text }) },
  }),
} as const;

const newUser = view({
  id: uuid,
  email: text,
  picture: nullable(text),
  /** The account is created when its address is confirmed by mail. Left out otherwise. */
  isPending: mayLack(flag),
  /** The session that has begun, where sign-ups log in by themselves (LOG_IN_AFTER_SIGN_UP). */
  logIn: mayLack(begunUserSession),
});
const confirmed = { data: view({ email: text }) };

/** The endpoints of a sign-up, and of the confirmation of its address. */
export const publicSignUpEndpoints = {
  signup: forEverybody('POST /signup', {
    permission: 'users.create',
    body: 'form',
    status: 201,
    reply: { message, data: newUser },
  }),
  emailAvailability: forEverybody('GET /api/email-availability', { ...emailAvailability }),
  /** Confirms an address by the token of a link, which needs no session. */
  verifyEmail: forEverybody('POST /api/email/verify', { input: { token: mailedToken }, reply: confirmed }),
  /** Confirms the address of the user by the code of the same mail. */
  verifyEmailCode: forUsers('POST /api/email/verify-code', { input: { code: mailedCode }, reply: confirmed }),
  resendVerification: forUsers('POST /api/email/resend', {
    whileViewing: true,
    status: 202,
    reply: { message },
  }),
} as const;
