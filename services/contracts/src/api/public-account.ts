import type { EmailView, RemovedFactors, UndoableEmail } from './identity.ts';
import { defineEndpoint } from './endpoint.ts';
import type { DataExportView, DeletionView, SubscriptionChoice } from './privacy.ts';

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

/** The endpoints of the account's e-mail address. */
export const emailEndpoints = {
  email: defineEndpoint<None, { data: EmailView }>('GET', '/api/email'),
  /** Confirms an address by the token of a link, which needs no session. */
  verifyEmail: defineEndpoint<{ token: string }, { data: { email: string } }>('POST', '/api/email/verify'),
  /** Confirms the address of the user by the code of the same mail. */
  verifyEmailCode: defineEndpoint<{ code: string }, { data: { email: string } }>(
    'POST',
    '/api/email/verify-code',
  ),
  resendVerification: defineEndpoint<None, { message: string }>('POST', '/api/email/resend'),
  ...publicEmailChangeEndpoints,
} as const;

/** The endpoints of passwords: lost ones and new ones. */
export const passwordEndpoints = {
  /** The response is the same whether or not the address has an account. */
  forgotPassword: defineEndpoint<{ email: string }, Message>('POST', '/api/password/forgot'),
  /** The address whose password the link sets. The token is in a body because addresses of requests are logged. */
  checkReset: defineEndpoint<{ token: string }, { data: { email: string; isAdmin: boolean } }>(
    'POST',
    '/api/password/reset/check',
  ),
  resetPassword: defineEndpoint<{ token: string; password: string }, Message>('POST', '/api/password/reset'),
  changePassword: defineEndpoint<{ currentPassword: string; password: string }, Message>(
    'PUT',
    '/api/password',
  ),
} as const;

/** What a user sends to delete the account. `email`: the address of the account, as a confirmation. */
export type DeletionRequest = { email: string; subscription: SubscriptionChoice; reason?: string };

/** The endpoints of users' own data: a copy of it, and its deletion. */
export const publicPrivacyEndpoints = {
  deletion: defineEndpoint<None, { data: DeletionView | null }>('GET', '/api/privacy/deletion'),
  requestDeletion: defineEndpoint<DeletionRequest, Message & { data: DeletionView }>(
    'POST',
    '/api/privacy/deletion',
  ),
  keepAccount: defineEndpoint<None, Message>('DELETE', '/api/privacy/deletion'),
  userDeletion: defineEndpoint<{ id: string }, { data: DeletionView | null }>(
    'GET',
    '/api/users/:id/deletion',
  ),
  dataExport: defineEndpoint<None, { data: DataExportView | null }>('GET', '/api/privacy/export'),
  requestDataExport: defineEndpoint<None, { data: DataExportView }>('POST', '/api/privacy/export'),
  removeDataExport: defineEndpoint<None, None>('DELETE', '/api/privacy/export'),
  /** The ZIP file. */
  downloadData: defineEndpoint<None, Uint8Array>('GET', '/api/privacy/export/file'),
} as const;
