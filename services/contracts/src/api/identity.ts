import type { LoginInput, SignupInput } from '../schemas/account.ts';
import { door } from './door.ts';

export type Role = 'user' | 'admin';
export type NewAccount = SignupInput & { picture: string | null };
export type Account = { id: string; email: string; role: Role; createdAt: string };

type None = Record<never, never>;

export const identityDoors = {
  register: door<NewAccount, { data: Account }>('POST', '/accounts'),
  verifyCredentials: door<LoginInput & { role: Role }, { data: Account }>('POST', '/credentials/verify'),
  emailAvailability: door<{ email: string }, { available: boolean }>('GET', '/accounts/email-availability'),
  changePassword: door<{ id: string; password: string }, None>('PUT', '/accounts/:id/password'),
  deleteAccount: door<{ id: string }, None>('DELETE', '/accounts/:id'),
} as const;
