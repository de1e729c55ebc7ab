import { emailSchema } from '../schemas/account.ts';
import { loginPassword, mailedCode, mailedToken } from '../schemas/password.ts';
import { count, flag, nullableText, nullableTime, text, view } from '../schemas/replies.ts';
import { uuid } from '../schemas/text.ts';
import { serviceEndpoint } from './service-endpoint.ts';

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

export const emailView = view<EmailView>({
  email: text,
  isVerified: flag,
  pendingEmail: nullableText,
  confirmBy: nullableTime,
});
export const undoableEmail = view<UndoableEmail>({ email: text, isConfirmed: flag });
export const removedFactors = view<RemovedFactors>({ twoStep: flag, recoveryCodes: flag, passkeys: count });

type OfUser<Input = Record<never, never>> = { id: string } & Input;
type None = Record<never, never>;

/** identity's endpoints about a change of the e-mail address. `keptSessionId`: the session that makes the change, which stays. */
export const emailChangeEndpoints = {
  /**
   * Causes the mail with a link and a code for the new address; a request that is open already ends. The response and the work are
   * the same for an address that has an account. `currentPassword`: required, unless the caller has proved the user's identity in
   * another way.
   */
  requestEmailChange: serviceEndpoint<OfUser<{ email: string; currentPassword?: string }>, None>({
    method: 'POST',
    path: '/accounts/:id/email-change',
    roles: ['user'],
    self: 'id',
    status: 202,
    input: { id: uuid, email: emailSchema, currentPassword: loginPassword.optional() },
  }),
  /** Causes another mail; does nothing without an open request. */
  resendEmailChange: serviceEndpoint<OfUser, None>({
    method: 'POST',
    path: '/accounts/:id/email-change/resend',
    roles: ['user'],
    self: 'id',
    status: 202,
    input: { id: uuid },
  }),
  cancelEmailChange: serviceEndpoint<OfUser, None>({
    method: 'DELETE',
    path: '/accounts/:id/email-change',
    roles: ['user'],
    self: 'id',
    input: { id: uuid },
  }),
  /** Throws `identity.link_ended`, or `identity.email_taken` when the address has an account by now. */
  confirmEmailChange: serviceEndpoint<{ token: string; keptSessionId?: string }, { data: ChangedEmail }>({
    method: 'POST',
    path: '/email-changes/confirm',
    roles: ['anonymous', 'user'],
    input: { token: mailedToken, keptSessionId: uuid.optional() },
  }),
  /** Throws `identity.email_code_wrong`, after too many wrong codes also for the right one. */
  confirmEmailChangeCode: serviceEndpoint<
    OfUser<{ code: string; keptSessionId?: string }>,
    { data: ChangedEmail }
  >({
    method: 'POST',
    path: '/accounts/:id/email-change/confirm',
    roles: ['user'],
    self: 'id',
    input: { id: uuid, code: mailedCode, keptSessionId: uuid.optional() },
  }),
  /** The address that the link of an undo brings back, or keeps while the change is not confirmed. Throws `identity.link_ended`. */
  checkEmailUndo: serviceEndpoint<{ token: string }, { data: UndoableEmail & { userId: string } }>({
    method: 'POST',
    path: '/email-changes/undo/check',
    roles: ['anonymous'],
    input: { token: mailedToken },
  }),
  /**
   * Ends a change, confirmed or still open, and removes what was added to the account since. The token then sets a new password, since
   * another person may know the current one.
   */
  undoEmailChange: serviceEndpoint<{ token: string }, { data: UndoneEmail }>({
    method: 'POST',
    path: '/email-changes/undo',
    roles: ['anonymous'],
    input: { token: mailedToken },
  }),
} as const;
