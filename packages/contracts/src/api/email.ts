import Joi from 'joi';
import {
  newEmailSchema,
  loginPassword,
  mailedCode,
  mailedToken,
  newPassword,
  passwordWords,
} from '../schemas/account.ts';
import {
  count,
  flag,
  type Message,
  message,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';

import { accessView } from './access.ts';
import { forEverybody, forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';
import { ownSuppression } from './suppressions.ts';

/**
 * An address that has just changed. `version` grows with each change of the account's address. Sessions of the account that are older
 * than `generation` end.
 */
export type ChangedEmail = { userId: string; email: string; version: number; generation: number };

export type RemovedFactors = { twoStep: boolean; recoveryCodes: boolean; passkeys: number };
export type UndoneEmail = ChangedEmail & { removed: RemovedAccess };

/**
 * `isVerified`: whether the user has proved that the address is theirs. `pendingEmail`: the new address that the user has requested
 * and not confirmed yet. `confirmBy`: when the account is given up unless the address is confirmed; null for one that is kept.
 * `suppression`: nothing is sent to the address, or to the pending one; null while mails arrive.
 */
const ownEmail = view({
  email: text,
  isVerified: flag,
  pendingEmail: nullable(text),
  confirmBy: nullable(time),
  suppression: nullable(ownSuppression),
});
export type OwnEmail = TypeOf<typeof ownEmail>;
export type EmailView = Omit<OwnEmail, 'suppression'>;

/** `access`: what acts for the user now, and ends with the undo. */
const undoableEmail = view({
  email: text,
  isConfirmed: flag,
  access: accessView,
  deletion: flag,
});
export type UndoableEmail = TypeOf<typeof undoableEmail>;
/** What is taken from an account with its undo: factors that were added since the request, all that acts for the user, a deletion. */
const removedAccess = view({
  twoStep: flag,
  recoveryCodes: flag,
  passkeys: count,
  apiKeys: count,
  webhooks: count,
  connections: count,
  deletion: flag,
});
export type RemovedAccess = TypeOf<typeof removedAccess>;

type OfUser<Input = None> = { id: string } & Input;

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
    input: { id: uuid, email: newEmailSchema, currentPassword: loginPassword.optional() },
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
   * Ends a change, confirmed or not, sets a new password, and removes what another person may have left in the account, in one step. The
   * token works until it has succeeded. `words`: the password must not equal one of them, such as the names of the user.
   */
  undoEmailChange: serviceEndpoint<
    { token: string; password: string; words?: string[] },
    { data: UndoneEmail }
  >({
    method: 'POST',
    path: '/email-changes/undo',
    roles: ['anonymous'],
    input: { token: mailedToken, password: newPassword, words: passwordWords },
  }),
} as const;

/** Why an account is kept although its address was never confirmed. */
const KEPT_FOR = ['plan', 'credits'] as const;
export type KeptFor = (typeof KEPT_FOR)[number];
type OfUnconfirmed = { userId: string };

/** identity's endpoints about accounts whose address was not confirmed, which are given up after UNCONFIRMED_DAYS. */
export const unconfirmedEndpoints = {
  /** The accounts for which a step is due, unless they are in use. */
  listUnconfirmed: serviceEndpoint<None, { data: (OfUnconfirmed & { step: 'remind' | 'give_up' })[] }>({
    method: 'GET',
    path: '/unconfirmed-accounts',
    roles: ['service'],
  }),
  /** Causes the reminder; does nothing the second time, or for a confirmed address. */
  remindUnconfirmed: serviceEndpoint<OfUnconfirmed, None>({
    method: 'POST',
    path: '/unconfirmed-accounts/:userId/remind',
    roles: ['service'],
    input: { userId: uuid },
  }),
  /** Deletes the account, unless it is confirmed or kept meanwhile. */
  giveUpAccount: serviceEndpoint<OfUnconfirmed, { deleted: boolean }>({
    method: 'POST',
    path: '/unconfirmed-accounts/:userId/give-up',
    roles: ['service'],
    input: { userId: uuid },
  }),
  /** Keeps an account that is in use. Does nothing for a confirmed address. */
  keepAccount: serviceEndpoint<OfUnconfirmed & { keptFor: KeptFor }, None>({
    method: 'POST',
    path: '/unconfirmed-accounts/:userId/keep',
    roles: ['service'],
    input: {
      userId: uuid,
      keptFor: oneOf(KEPT_FOR),
    },
  }),
} as const;

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
    input: { email: newEmailSchema, currentPassword: loginPassword.optional() },
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
  /** Brings the former address back, sets a new password, and ends every session and all other access, in one step. */
  undoEmailChange: forEverybody<
    { token: string; password: string },
    { data: { email: string; removed: RemovedAccess } }
  >({
    method: 'POST',
    path: '/api/email/undo',
    input: { token: mailedToken, password: newPassword },
    reply: { data: Joi.object({ email: text, removed: removedAccess }).required() },
  }),
} as const;

/** The endpoints of the account's e-mail address. */
export const emailEndpoints = {
  email: forUsers<None, { data: OwnEmail }>({
    method: 'GET',
    path: '/api/email',
    whileViewing: true,
    reply: { data: ownEmail },
  }),
  ...publicEmailChangeEndpoints,
} as const;
