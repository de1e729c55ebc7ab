import type { AdminFields, LoginInput, SignupInput } from '../schemas/account.ts';
import { door } from './door.ts';

export type Role = 'user' | 'admin';
export type NewAccount = SignupInput & AdminFields & { picture: string | null };
export type Account = { id: string; email: string; role: Role; createdAt: string };

export const identityDoors = {
  register: door<NewAccount, { data: Account }>('POST', '/accounts'),
  verifyCredentials: door<LoginInput & { role: Role }, { data: Account }>('POST', '/credentials/verify'),
  emailAvailability: door<{ email: string }, { available: boolean }>('GET', '/accounts/email-availability'),
  /** The addresses of those among `ids`, joined by commas, who are admins. */
  adminEmails: door<{ ids: string }, { data: { id: string; email: string }[] }>(
    'GET',
    '/accounts/admin-emails',
  ),
  /** `at`: sessions begun before this moment end. */
  changePassword: door<{ id: string; password: string }, { at: string }>('PUT', '/accounts/:id/password'),
  deleteAccount: door<{ id: string }, { at: string }>('DELETE', '/accounts/:id'),
} as const;
