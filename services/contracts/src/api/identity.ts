import type { AdminFields, LoginInput, SignupInput } from '../schemas/account.ts';
import { endpoint } from './endpoint.ts';

export type Role = 'user' | 'admin';
export type NewAccount = SignupInput & AdminFields & { picture: string | null };
export type Account = { id: string; email: string; role: Role; createdAt: string };

export const identityEndpoints = {
  register: endpoint<NewAccount, { data: Account }>('POST', '/accounts'),
  verifyCredentials: endpoint<LoginInput & { role: Role }, { data: Account }>('POST', '/credentials/verify'),
  emailAvailability: endpoint<{ email: string }, { available: boolean }>(
    'GET',
    '/accounts/email-availability',
  ),
  /** The addresses of those among `ids`, joined by commas, who are admins. */
  adminEmails: endpoint<{ ids: string }, { data: { id: string; email: string }[] }>(
    'GET',
    '/accounts/admin-emails',
  ),
  /** `at`: sessions begun before this moment end. */
  changePassword: endpoint<{ id: string; password: string }, { at: string }>('PUT', '/accounts/:id/password'),
  deleteAccount: endpoint<{ id: string }, { at: string }>('DELETE', '/accounts/:id'),
} as const;
