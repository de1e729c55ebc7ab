import type { AdminFields, LoginInput, SignupInput } from '../schemas/account.ts';
import { defineEndpoint } from './endpoint.ts';

export type Role = 'user' | 'admin';
/** `termsVersion`: the terms that the user accepted; without one, no consent is stored. */
export type NewAccount = SignupInput & AdminFields & { picture: string | null; termsVersion?: string | null };
export type Account = { id: string; email: string; role: Role; createdAt: string };

/** The factors of an account, for a log-in. `generation` changes with the password and with each factor. */
export type AccountFactors = { totp: boolean; recoveryCodes: number; passkeys: number; generation: string };

export const identityEndpoints = {
  register: defineEndpoint<NewAccount, { data: Account }>('POST', '/accounts'),
  verifyCredentials: defineEndpoint<LoginInput & { role: Role }, { data: Account; factors: AccountFactors }>(
    'POST',
    '/credentials/verify',
  ),
  emailAvailability: defineEndpoint<{ email: string }, { available: boolean }>(
    'GET',
    '/accounts/email-availability',
  ),
  /** The e-mail addresses of the admins among `ids`, a comma-separated list. */
  adminEmails: defineEndpoint<{ ids: string }, { data: { id: string; email: string }[] }>(
    'GET',
    '/accounts/admin-emails',
  ),
  /** Every admin, for mails to the operators. */
  listAdmins: defineEndpoint<Record<never, never>, { data: { userId: string; email: string }[] }>(
    'GET',
    '/admins',
  ),
  /** `at`: sessions that began before this time end. */
  changePassword: defineEndpoint<{ id: string; password: string }, { at: string }>(
    'PUT',
    '/accounts/:id/password',
  ),
  deleteAccount: defineEndpoint<{ id: string }, { at: string }>('DELETE', '/accounts/:id'),
} as const;
