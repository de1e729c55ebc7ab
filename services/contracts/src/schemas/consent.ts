import Joi from 'joi';
import { signupSchema, type SignupInput } from './account.ts';

/** The name of a version of the terms, such as 2026-11: visible ASCII characters. */
export const termsVersion = Joi.string()
  .max(40)
  .pattern(/^[\x21-\x7e]+$/);

/** `termsAccepted`: the version of the terms that the user has accepted. */
export type SignupForm = SignupInput & { termsAccepted?: string };

/** The form of a sign-up where no consent is required. */
export const signupFormSchema = signupSchema.append<SignupForm>({ termsAccepted: termsVersion });

/** The form of a sign-up that requires consent to this version, and not to one that the page showed before it. */
export const consentingSignupSchema = (version: string) =>
  signupSchema.append<SignupForm>({
    termsAccepted: Joi.valid(version).required().messages({ '*': 'Please accept the terms to sign up.' }),
  });
