import type { RemovedFactors, UndoableEmail } from './email-changes.ts';
import { defineEndpoint } from './endpoint.ts';

type None = Record<never, never>;
type Message = { message: string };
type Changed = { data: { email: string } };

/** The endpoints of a change of the account's e-mail address. */
export const publicEmailChangeEndpoints = {
  /**
   * The response is the same whether or not the new address has an account. Without `currentPassword`, the session must be
   * reauthenticated; so must that of a user with two-step verification.
   */
  requestEmailChange: defineEndpoint<{ email: string; currentPassword?: string }, Message>(
    'POST',
    '/api/email/change',
  ),
  resendEmailChange: defineEndpoint<None, Message>('POST', '/api/email/change/resend'),
  cancelEmailChange: defineEndpoint<None, Message>('DELETE', '/api/email/change'),
  /** Confirms the new address by the token of a link, which needs no session. */
  confirmEmailChange: defineEndpoint<{ token: string }, Changed>('POST', '/api/email/change/confirm'),
  /** Confirms the new address by the code of the same mail. */
  confirmEmailChangeCode: defineEndpoint<{ code: string }, Changed>('POST', '/api/email/change/confirm-code'),
  /** The address that the link brings back, or keeps while the change is not confirmed. */
  checkEmailUndo: defineEndpoint<{ token: string }, { data: UndoableEmail }>('POST', '/api/email/undo/check'),
  /** Brings the former address back, removes what was added since the request, and ends every session. The token then sets a new password. */
  undoEmailChange: defineEndpoint<{ token: string }, { data: { email: string; removed: RemovedFactors } }>(
    'POST',
    '/api/email/undo',
  ),
} as const;
