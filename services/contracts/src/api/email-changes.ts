import { defineEndpoint } from './endpoint.ts';

type OfUser<Input = Record<never, never>> = { id: string } & Input;
type None = Record<never, never>;

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
