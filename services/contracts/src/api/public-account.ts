import Joi from 'joi';
import { emailSchema } from '../schemas/account.ts';
import { loginPassword, mailedCode, mailedToken, newPassword } from '../schemas/password.ts';
import { flag, message, text } from '../schemas/replies.ts';
import { uuid } from '../schemas/text.ts';
import {
  emailView,
  type EmailView,
  type RemovedFactors,
  removedFactors,
  type UndoableEmail,
  undoableEmail,
} from './email-change.ts';
import {
  dataExportView,
  type DataExportView,
  type DeletionRequest,
  deletionRules,
  deletionView,
  type DeletionView,
} from './privacy.ts';
import { forAdmins, forEverybody, FORM_BYTES, forSessions, forUsers } from './public-endpoint.ts';

type None = Record<never, never>;
type Message = { message: string };
type Changed = { data: { email: string } };

const changedEmail = Joi.object({ email: text }).required();

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
    reply: { message },
  }),
  resendEmailChange: forUsers<None, Message>({
    method: 'POST',
    path: '/api/email/change/resend',
    status: 202,
    reply: { message },
  }),
  cancelEmailChange: forUsers<None, Message>({
    method: 'DELETE',
    path: '/api/email/change',
    reply: { message },
  }),
  /** Confirms the new address by the token of a link, which needs no session. */
  confirmEmailChange: forEverybody<{ token: string }, Changed>({
    method: 'POST',
    path: '/api/email/change/confirm',
    input: { token: mailedToken },
    reply: { data: changedEmail },
  }),
  /** Confirms the new address by the code of the same mail. */
  confirmEmailChangeCode: forUsers<{ code: string }, Changed>({
    method: 'POST',
    path: '/api/email/change/confirm-code',
    input: { code: mailedCode },
    reply: { data: changedEmail },
  }),
  /** The address that the link brings back, or keeps while the change is not confirmed. */
  checkEmailUndo: forEverybody<{ token: string }, { data: UndoableEmail }>({
    method: 'POST',
    path: '/api/email/undo/check',
    input: { token: mailedToken },
    reply: { data: undoableEmail },
  }),
  /** Brings the former address back, removes what was added since the request, and ends every session. The token then sets a new password. */
  undoEmailChange: forEverybody<{ token: string }, { data: { email: string; removed: RemovedFactors } }>({
    method: 'POST',
    path: '/api/email/undo',
    input: { token: mailedToken },
    reply: { data: Joi.object({ email: text, removed: removedFactors }).required() },
  }),
} as const;

/** The endpoints of the account's e-mail address. */
export const emailEndpoints = {
  email: forUsers<None, { data: EmailView }>({
    method: 'GET',
    path: '/api/email',
    whileViewing: true,
    reply: { data: emailView },
  }),
  /** Confirms an address by the token of a link, which needs no session. */
  verifyEmail: forEverybody<{ token: string }, { data: { email: string } }>({
    method: 'POST',
    path: '/api/email/verify',
    input: { token: mailedToken },
    reply: { data: changedEmail },
  }),
  /** Confirms the address of the user by the code of the same mail. */
  verifyEmailCode: forUsers<{ code: string }, { data: { email: string } }>({
    method: 'POST',
    path: '/api/email/verify-code',
    input: { code: mailedCode },
    reply: { data: changedEmail },
  }),
  resendVerification: forUsers<None, { message: string }>({
    method: 'POST',
    path: '/api/email/resend',
    whileViewing: true,
    status: 202,
    reply: { message },
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
    reply: { message },
  }),
  /** The address whose password the link sets. The token is in a body because addresses of requests are logged. */
  checkReset: forEverybody<{ token: string }, { data: { email: string; isAdmin: boolean } }>({
    method: 'POST',
    path: '/api/password/reset/check',
    input: { token: mailedToken },
    reply: { data: Joi.object({ email: text, isAdmin: flag }).required() },
  }),
  resetPassword: forEverybody<{ token: string; password: string }, Message>({
    method: 'POST',
    path: '/api/password/reset',
    input: { token: mailedToken, password: newPassword },
    reply: { message },
  }),
  changePassword: forSessions<{ currentPassword: string; password: string }, Message>({
    method: 'PUT',
    path: '/api/password',
    bodyBytes: 2 * FORM_BYTES,
    input: { currentPassword: loginPassword, password: newPassword },
    reply: { message },
  }),
} as const;

/** The endpoints of users' own data: a copy of it, and its deletion. */
export const publicPrivacyEndpoints = {
  deletion: forUsers<None, { data: DeletionView | null }>({
    method: 'GET',
    path: '/api/privacy/deletion',
    duringDeletion: true,
    reply: { data: deletionView.allow(null) },
  }),
  requestDeletion: forUsers<DeletionRequest, Message & { data: DeletionView }>({
    method: 'POST',
    path: '/api/privacy/deletion',
    recent: true,
    input: deletionRules,
    reply: { message, data: deletionView },
  }),
  keepAccount: forUsers<None, Message>({
    method: 'DELETE',
    path: '/api/privacy/deletion',
    duringDeletion: true,
    reply: { message },
  }),
  userDeletion: forAdmins<{ id: string }, { data: DeletionView | null }>({
    method: 'GET',
    path: '/api/users/:id/deletion',
    permission: 'users.read',
    input: { id: uuid },
    reply: { data: deletionView.allow(null) },
  }),
  dataExport: forUsers<None, { data: DataExportView | null }>({
    method: 'GET',
    path: '/api/privacy/export',
    reply: { data: dataExportView.allow(null) },
  }),
  requestDataExport: forUsers<None, { data: DataExportView }>({
    method: 'POST',
    path: '/api/privacy/export',
    recent: true,
    status: 202,
    reply: { data: dataExportView },
  }),
  removeDataExport: forUsers<None, None>({ method: 'DELETE', path: '/api/privacy/export', reply: {} }),
  /** The ZIP file. */
  downloadData: forUsers<None, Uint8Array>({
    method: 'GET',
    path: '/api/privacy/export/file',
    recent: true,
    reply: null,
  }),
} as const;
