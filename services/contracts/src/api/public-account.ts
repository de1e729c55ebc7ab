import { emailSchema } from '../schemas/account.ts';
import { loginPassword, mailedCode, mailedToken, newPassword } from '../schemas/password.ts';
import { userId } from '../schemas/text.ts';
import type { EmailView, RemovedFactors, UndoableEmail } from './email-change.ts';
import { type DataExportView, type DeletionRequest, deletionRules, type DeletionView } from './privacy.ts';
import { forAdmins, forEverybody, FORM_BYTES, forSessions, forUsers } from './public-endpoint.ts';

type None = Record<never, never>;
type Message = { message: string };
type Changed = { data: { email: string } };

/** The endpoints of a change of the account's e-mail address. */
export const publicEmailChangeEndpoints = {
  /**
   * The response is the same whether or not the new address has an account. Without `currentPassword`, the session must be
   * reauthenticated; so must that of a user with two-step verification.
   */
  requestEmailChange: forUsers<{ email: string; currentPassword?: string }, Message>({
    method: 'POST',
    path: '/api/email/change',
    status: 202,
    input: { email: emailSchema, currentPassword: loginPassword.optional() },
  }),
  resendEmailChange: forUsers<None, Message>({
    method: 'POST',
    path: '/api/email/change/resend',
    status: 202,
  }),
  cancelEmailChange: forUsers<None, Message>({ method: 'DELETE', path: '/api/email/change' }),
  /** Confirms the new address by the token of a link, which needs no session. */
  confirmEmailChange: forEverybody<{ token: string }, Changed>({
    method: 'POST',
    path: '/api/email/change/confirm',
    input: { token: mailedToken },
  }),
  /** Confirms the new address by the code of the same mail. */
  confirmEmailChangeCode: forUsers<{ code: string }, Changed>({
    method: 'POST',
    path: '/api/email/change/confirm-code',
    input: { code: mailedCode },
  }),
  /** The address that the link brings back, or keeps while the change is not confirmed. */
  checkEmailUndo: forEverybody<{ token: string }, { data: UndoableEmail }>({
    method: 'POST',
    path: '/api/email/undo/check',
    input: { token: mailedToken },
  }),
  /** Brings the former address back, removes what was added since the request, and ends every session. The token then sets a new password. */
  undoEmailChange: forEverybody<{ token: string }, { data: { email: string; removed: RemovedFactors } }>({
    method: 'POST',
    path: '/api/email/undo',
    input: { token: mailedToken },
  }),
} as const;

/** The endpoints of the account's e-mail address. */
export const emailEndpoints = {
  email: forUsers<None, { data: EmailView }>({ method: 'GET', path: '/api/email', whileViewing: true }),
  /** Confirms an address by the token of a link, which needs no session. */
  verifyEmail: forEverybody<{ token: string }, { data: { email: string } }>({
    method: 'POST',
    path: '/api/email/verify',
    input: { token: mailedToken },
  }),
  /** Confirms the address of the user by the code of the same mail. */
  verifyEmailCode: forUsers<{ code: string }, { data: { email: string } }>({
    method: 'POST',
    path: '/api/email/verify-code',
    input: { code: mailedCode },
  }),
  resendVerification: forUsers<None, { message: string }>({
    method: 'POST',
    path: '/api/email/resend',
    whileViewing: true,
    status: 202,
  }),
  ...publicEmailChangeEndpoints,
} as const;

/** The endpoints of passwords: lost ones and new ones. */
export const passwordEndpoints = {
  /** The response is the same whether or not the address has an account. */
  forgotPassword: forEverybody<{ email: string }, Message>({
    method: 'POST',
    path: '/api/password/forgot',
    status: 202,
    input: { email: emailSchema },
  }),
  /** The address whose password the link sets. The token is in a body because addresses of requests are logged. */
  checkReset: forEverybody<{ token: string }, { data: { email: string; isAdmin: boolean } }>({
    method: 'POST',
    path: '/api/password/reset/check',
    input: { token: mailedToken },
  }),
  resetPassword: forEverybody<{ token: string; password: string }, Message>({
    method: 'POST',
    path: '/api/password/reset',
    input: { token: mailedToken, password: newPassword },
  }),
  changePassword: forSessions<{ currentPassword: string; password: string }, Message>({
    method: 'PUT',
    path: '/api/password',
    bodyBytes: 2 * FORM_BYTES,
    input: { currentPassword: loginPassword, password: newPassword },
  }),
} as const;

/** The endpoints of users' own data: a copy of it, and its deletion. */
export const publicPrivacyEndpoints = {
  deletion: forUsers<None, { data: DeletionView | null }>({
    method: 'GET',
    path: '/api/privacy/deletion',
    duringDeletion: true,
  }),
  requestDeletion: forUsers<DeletionRequest, Message & { data: DeletionView }>({
    method: 'POST',
    path: '/api/privacy/deletion',
    recent: true,
    input: deletionRules,
  }),
  keepAccount: forUsers<None, Message>({
    method: 'DELETE',
    path: '/api/privacy/deletion',
    duringDeletion: true,
  }),
  userDeletion: forAdmins<{ id: string }, { data: DeletionView | null }>({
    method: 'GET',
    path: '/api/users/:id/deletion',
    permission: 'users.read',
    input: { id: userId },
  }),
  dataExport: forUsers<None, { data: DataExportView | null }>({ method: 'GET', path: '/api/privacy/export' }),
  requestDataExport: forUsers<None, { data: DataExportView }>({
    method: 'POST',
    path: '/api/privacy/export',
    recent: true,
    status: 202,
  }),
  removeDataExport: forUsers<None, None>({ method: 'DELETE', path: '/api/privacy/export' }),
  /** The ZIP file. */
  downloadData: forUsers<None, Uint8Array>({ method: 'GET', path: '/api/privacy/export/file', recent: true }),
} as const;
