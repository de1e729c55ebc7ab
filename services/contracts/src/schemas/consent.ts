import Joi from 'joi';
import { signupSchema, type SignupInput } from './account.ts';

/** The name of a version of the terms, such as 2026-11: visible ASCII characters. */
export const termsVersion = Joi.string()
  .max(40)
  .pattern(/^[\x21-\x7e]+$/);

export type SignupForm = SignupInput & { termsAccepted?: boolean };

const termsAccepted = Joi.boolean().strict();

/** The form of a sign-up where no consent is required. */
export const signupFormSchema = signupSchema.append<SignupForm>({ termsAccepted });

/** The form of a sign-up that requires consent to the terms. */
export const consentingSignupSchema = signupSchema.append<SignupForm>({
  termsAccepted: termsAccepted
    .valid(true)
    .required()
    .messages({ '*': 'Please accept the terms to sign up.' }),
});
