import type { AdminAccess, AdminRole } from '../admin-permissions.ts';
import type { AdminFields, LoginInput, SignupInput } from '../schemas/account.ts';
import { defineEndpoint } from './endpoint.ts';
import { privacyEndpoints } from './privacy.ts';
import { signInEndpoints } from './sign-ins.ts';

type OfUser<Input = Record<never, never>> = { id: string } & Input;
type None = Record<never, never>;

/**
 * `isVerified`: whether the user has proved that the address is theirs. `pendingEmail`: the new address that the user has requested
 * and not confirmed yet. `confirmBy`: when the account is given up unless the address is confirmed; null for one that is kept.
 */
export type EmailView = {
  email: string;
  isVerified: boolean;
  pendingEmail: string | null;
  confirmBy: string | null;
};

/**
 * An address that has just changed. `version` grows with each change of the account's address. Sessions of the account that are older
 * than `generation` end.
 */
export type ChangedEmail = { userId: string; email: string; version: number; generation: number };

/** What was added to an account since a change was requested, and is removed with it. */
export type RemovedFactors = { twoStep: boolean; recoveryCodes: boolean; passkeys: number };
export type UndoableEmail = { email: string; isConfirmed: boolean };
export type UndoneEmail = ChangedEmail & { removed: RemovedFactors };

/** identity's endpoints about a change of the e-mail address. `keptSessionId`: the session that makes the change, which stays. */
export const emailChangeEndpoints = {
  /**
   * Causes the mail with a link and a code for the new address; a request that is open already ends. The response and the work are
   * the same for an address that has an account. `currentPassword`: required, unless the caller has proved the user's identity in
   * another way.
   */
  requestEmailChange: defineEndpoint<OfUser<{ email: string; currentPassword?: string }>, None>(
    'POST',
    '/accounts/:id/email-change',
  ),
  /** Causes another mail; does nothing without an open request. */
  resendEmailChange: defineEndpoint<OfUser, None>('POST', '/accounts/:id/email-change/resend'),
  cancelEmailChange: defineEndpoint<OfUser, None>('DELETE', '/accounts/:id/email-change'),
  /** Throws `identity.link_ended`, or `identity.email_taken` when the address has an account by now. */
  confirmEmailChange: defineEndpoint<{ token: string; keptSessionId?: string }, { data: ChangedEmail }>(
    'POST',
    '/email-changes/confirm',
  ),
  /** Throws `identity.email_code_wrong`, after too many wrong codes also for the right one. */
  confirmEmailChangeCode: defineEndpoint<
    OfUser<{ code: string; keptSessionId?: string }>,
    { data: ChangedEmail }
  >('POST', '/accounts/:id/email-change/confirm'),
  /** The address that the link of an undo brings back, or keeps while the change is not confirmed. Throws `identity.link_ended`. */
  checkEmailUndo: defineEndpoint<{ token: string }, { data: UndoableEmail & { userId: string } }>(
    'POST',
    '/email-changes/undo/check',
  ),
  /**
   * Ends a change, confirmed or still open, and removes what was added to the account since. The token then sets a new password, since
   * another person may know the current one.
   */
  undoEmailChange: defineEndpoint<{ token: string }, { data: UndoneEmail }>('POST', '/email-changes/undo'),
} as const;

/** Why an account is kept although its address was never confirmed. */
export const KEPT_FOR = ['plan', 'credits'] as const;
export type KeptFor = (typeof KEPT_FOR)[number];

type OfUnconfirmed = { userId: string };

/** identity's endpoints about accounts whose address was not confirmed, which are given up after UNCONFIRMED_DAYS. */
export const unconfirmedEndpoints = {
  /** The accounts for which a step is due, unless they are in use. */
  listUnconfirmed: defineEndpoint<None, { data: (OfUnconfirmed & { step: 'remind' | 'give_up' })[] }>(
    'GET',
    '/unconfirmed-accounts',
  ),
  /** Causes the reminder; does nothing the second time, or for a confirmed address. */
  remindUnconfirmed: defineEndpoint<OfUnconfirmed, None>('POST', '/unconfirmed-accounts/:userId/remind'),
  /** Deletes the account, unless it is confirmed or kept meanwhile. */
  giveUpAccount: defineEndpoint<OfUnconfirmed, { deleted: boolean }>(
    'POST',
    '/unconfirmed-accounts/:userId/give-up',
  ),
  /** Keeps an account that is in use. Does nothing for a confirmed address. */
  keepAccount: defineEndpoint<OfUnconfirmed & { keptFor: KeptFor }, None>(
    'POST',
    '/unconfirmed-accounts/:userId/keep',
  ),
} as const;

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

/** identity's record of an admin who views the product as a user. `id` is the user's. */
export const viewingEndpoints = {
  recordViewing: defineEndpoint<{ id: string; reason: string; sessionId: string }, Record<never, never>>(
    'POST',
    '/accounts/:id/viewings',
  ),
} as const;

/** The endpoints with which an admin views the product as a user. */
export const publicViewingEndpoints = {
  /** Begins a session of VIEWING_SECONDS that may only read; `logout` ends it. */
  startViewing: defineEndpoint<
    { id: string; reason: string },
    { data: { token: string; remainingTime: number } }
  >('POST', '/api/users/:id/view'),
} as const;
