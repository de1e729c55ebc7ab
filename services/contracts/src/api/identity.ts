import type { AdminAccess, AdminRole } from '../admin-permissions.ts';
import type { EmailView } from './public-emails.ts';
import type { AdminFields, LoginInput, SignupInput } from '../schemas/account.ts';
import { emailChangeEndpoints } from './email-changes.ts';
import { defineEndpoint } from './endpoint.ts';
import { privacyEndpoints } from './privacy.ts';
import { signInEndpoints } from './sign-ins.ts';
import { unconfirmedEndpoints } from './unconfirmed.ts';

export type Role = 'user' | 'admin';
/** `termsVersion`: the terms that the user accepted; without one, no consent is stored. */
export type NewAccount = SignupInput & AdminFields & { picture: string | null; termsVersion?: string | null };
/** What a token that is sent by mail is for. */
export const TOKEN_PURPOSES = [
  'password_reset',
  'email_verify',
  'email_change',
  'email_undo',
  'admin_invite',
] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];
/** `reference`: what the token is about, where the purpose and the account do not say it. */
export type TokenOrder = { purpose: TokenPurpose; userId: string; reference?: string };
/** A secret for a mail, and the address that it must be sent to. `code`: six digits, for the purposes that have one. */
export type IssuedToken = { token: string; code: string | null; email: string };
/**
 * `currentPassword`: required for the caller's own account. `words`: the new password must not equal one of them, such as the
 * names of the user. `keptSessionId`: the session that makes the change, which stays.
 */
export type PasswordChange = {
  id: string;
  password: string;
  currentPassword?: string;
  words?: string[];
  keptSessionId?: string;
};
/** Every session of the account that is older than `generation` ends. */
export type PasswordReset = { userId: string; email: string; generation: number };

/** `admin`: what an admin may do; null for a user. */
export type Account = {
  id: string;
  email: string;
  role: Role;
  createdAt: string;
  admin: AdminAccess | null;
};
/**
 * An account that logs in. `generation`: read together with what was proved; a session begins only while the account has it.
 * `deletionDueAt`: when it is deleted, if its user has requested that.
 */
export type ProvenAccount = Account & { generation: number; deletionDueAt?: string };
/** The fields of a user whose registration has become an account. */
export type RegisteredUser = Omit<NewAccount, 'password' | 'termsVersion'> & {
  id: string;
  createdAt: string;
};

/** The factors of an account, for a log-in. `fingerprint` changes with each factor, the password and the generation of the account. */
export type AccountFactors = { totp: boolean; recoveryCodes: number; passkeys: number; fingerprint: string };

export const identityEndpoints = {
  /** `isPending`: the account is created when its address is confirmed by mail; until then `id` is that of the registration. */
  register: defineEndpoint<NewAccount, { data: Account; isPending: boolean }>('POST', '/accounts'),
  verifyCredentials: defineEndpoint<
    LoginInput & { role: Role },
    { data: ProvenAccount; factors: AccountFactors }
  >('POST', '/credentials/verify'),
  emailAvailability: defineEndpoint<{ email: string }, { available: boolean }>(
    'GET',
    '/accounts/email-availability',
  ),
  /** The e-mail addresses of the admins among `ids`, a comma-separated list. */
  adminEmails: defineEndpoint<{ ids: string }, { data: { id: string; email: string }[] }>(
    'GET',
    '/accounts/admin-emails',
  ),
  /** Every admin, for mails. A suspended one has no role. */
  listAdmins: defineEndpoint<
    Record<never, never>,
    { data: { userId: string; email: string; role: AdminRole | null }[] }
  >('GET', '/admins'),
  /** Makes all checks of a change and changes nothing, for an edit that changes other data first. */
  checkPasswordChange: defineEndpoint<PasswordChange, Record<never, never>>(
    'POST',
    '/accounts/:id/password/check',
  ),
  /** Ends all sessions of an account: those older than `generation`. */
  endSessions: defineEndpoint<{ id: string }, { generation: number }>('POST', '/accounts/:id/end-sessions'),
  /** Sessions older than `generation` end. */
  changePassword: defineEndpoint<PasswordChange, { generation: number }>('PUT', '/accounts/:id/password'),
  /** The response and the work are the same for an address without an account. */
  requestPasswordReset: defineEndpoint<{ email: string }, Record<never, never>>('POST', '/password-resets'),
  /** The account of an open token. Throws `identity.link_ended`. */
  checkPasswordReset: defineEndpoint<
    { token: string },
    { data: { userId: string; email: string; role: Role } }
  >('POST', '/password-resets/check'),
  /** `words`: the password must not equal one of them, such as the names of the user. */
  resetPassword: defineEndpoint<
    { token: string; password: string; words?: string[] },
    { data: PasswordReset }
  >('POST', '/password-resets/use'),
  email: defineEndpoint<{ id: string }, { data: EmailView }>('GET', '/accounts/:id/email'),
  /** Causes another mail with a link and a code; does nothing when the address is confirmed. */
  requestVerification: defineEndpoint<{ id: string }, Record<never, never>>(
    'POST',
    '/accounts/:id/email/verification',
  ),
  /** `registered`: the user of an account that this has created, from a pending registration. */
  verifyEmail: defineEndpoint<
    { token: string },
    { data: { userId: string; email: string; registered?: RegisteredUser } }
  >('POST', '/email-verifications/use'),
  /** Throws `identity.email_code_wrong`, after too many wrong codes also for the right one. */
  verifyEmailCode: defineEndpoint<{ id: string; code: string }, { data: { userId: string; email: string } }>(
    'POST',
    '/accounts/:id/email/code',
  ),
  /** Called when a mail is sent, so that no secret waits in an event or in a table of mails. */
  issueMailedToken: defineEndpoint<TokenOrder, { data: IssuedToken }>('POST', '/mailed-tokens'),
  deleteAccount: defineEndpoint<{ id: string }, { generation: number }>('DELETE', '/accounts/:id'),
  ...signInEndpoints,
  ...privacyEndpoints,
  ...emailChangeEndpoints,
  ...unconfirmedEndpoints,
} as const;
