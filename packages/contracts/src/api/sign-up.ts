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
import { flag, message, type Message, nullable, text, uuid } from '../schemas/typed.ts';

import type { Account } from './identity.ts';
import { begunUserSession, type UserLogIn } from './log-in.ts';
import { forEverybody, forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

/** `termsVersion`: the terms that the user accepted; without one, no consent is stored. */
export type NewAccount = SignupInput & AdminFields & { picture: string | null; termsVersion?: string | null };

/** The fields of a user whose registration has become an account. */
export type RegisteredUser = Omit<NewAccount, 'password' | 'termsVersion'> & {
  id: string;
  createdAt: string;
};

/** identity's endpoints of a sign-up, and of the confirmation of its address. */
export const signUpEndpoints = {
  /** `isPending`: the account is created when its address is confirmed by mail; until then `id` is that of the registration. */
  register: serviceEndpoint<NewAccount, { data: Account; isPending: boolean }>({
    method: 'POST',
    path: '/accounts',
    roles: ['anonymous', 'admin'],
    status: 201,
    input: adminSignupSchema.append<NewAccount>({
      picture: Joi.string().pattern(PICTURE_NAME).allow(null).required(),
      termsVersion: termsVersion.allow(null),
    }),
  }),
  emailAvailability: serviceEndpoint<{ email: string }, { available: boolean }>({
    method: 'GET',
    path: '/accounts/email-availability',
    roles: ['anonymous', 'user', 'admin'],
    input: { email: emailSchema },
  }),
  /** Causes another mail with a link and a code; does nothing when the address is confirmed. */
  requestVerification: serviceEndpoint<{ id: string }, None>({
    method: 'POST',
    path: '/accounts/:id/email/verification',
    roles: ['user'],
    self: 'id',
    status: 202,
    input: { id: uuid },
  }),
  /** `registered`: the user of an account that this has created, from a pending registration. */
  verifyEmail: serviceEndpoint<
    { token: string },
    { data: { userId: string; email: string; registered?: RegisteredUser } }
  >({
    method: 'POST',
    path: '/email-verifications/use',
    roles: ['anonymous', 'user'],
    input: { token: mailedToken },
  }),
  /** Throws `identity.email_code_wrong`, after too many wrong codes also for the right one. */
  verifyEmailCode: serviceEndpoint<{ id: string; code: string }, { data: { userId: string; email: string } }>(
    {
      method: 'POST',
      path: '/accounts/:id/email/code',
      roles: ['user'],
      self: 'id',
      input: { id: uuid, code: mailedCode },
    },
  ),
} as const;

type NewUser = {
  id: string;
  email: string;
  picture: string | null;
  /** The account is created when its address is confirmed by mail. Left out otherwise. */
  isPending?: boolean;
  /** The session that has begun, where sign-ups log in by themselves (LOG_IN_AFTER_SIGN_UP). */
  logIn?: UserLogIn['data'];
};

const newUser = Joi.object({
  id: uuid,
  email: text,
  picture: nullable(text),
  isPending: Joi.boolean(),
  logIn: begunUserSession,
}).required();
const confirmedEmail = Joi.object({ email: text }).required();

/** The endpoints of a sign-up, and of the confirmation of its address. */
export const publicSignUpEndpoints = {
  signup: forEverybody<FormData, Message & { data: NewUser }>({
    method: 'POST',
    path: '/signup',
    permission: 'users.create',
    body: 'form',
    status: 201,
    reply: { message, data: newUser },
  }),
  emailAvailability: forEverybody<{ email: string }, { available: boolean }>({
    method: 'GET',
    path: '/api/email-availability',
    input: { email: emailSchema },
    reply: { available: flag },
  }),
  /** Confirms an address by the token of a link, which needs no session. */
  verifyEmail: forEverybody<{ token: string }, { data: { email: string } }>({
    method: 'POST',
    path: '/api/email/verify',
    input: { token: mailedToken },
    reply: { data: confirmedEmail },
  }),
  /** Confirms the address of the user by the code of the same mail. */
  verifyEmailCode: forUsers<{ code: string }, { data: { email: string } }>({
    method: 'POST',
    path: '/api/email/verify-code',
    input: { code: mailedCode },
    reply: { data: confirmedEmail },
  }),
  resendVerification: forUsers<None, Message>({
    method: 'POST',
    path: '/api/email/resend',
    whileViewing: true,
    status: 202,
    reply: { message },
  }),
} as const;
