import Joi from 'joi';
import * as rule from '../schemas/validation.ts';
import { forAdmins, forEverybody, forUsers, operationsOf } from './operation.ts';
import {
  loginPassword,
  mailedCode,
  mailedToken,
  newEmailSchema,
  newPassword,
  passwordWords,
} from '../schemas/account.ts';
import { accessView } from './connected-apps.ts';

// The addresses to which nothing is sent any more, since a mail came back or its reader called it spam: what SendGrid's event webhook says,
// where worker stores it, and how it ends.

/** worker's path of SendGrid's event webhook, which bff passes on. */
export const SENDGRID_WEBHOOK_PATH = '/webhooks/sendgrid';
/** SendGrid sends a batch when it has 768 kilobytes, or after half a minute. */
export const SENDGRID_WEBHOOK_BYTES = 1024 * 1024;
/** What SendGrid signs is the timestamp followed by the body. */
export const SENDGRID_SIGNATURE_HEADER = 'x-twilio-email-event-webhook-signature';
export const SENDGRID_TIMESTAMP_HEADER = 'x-twilio-email-event-webhook-timestamp';

/** `bounced`: there is no such mailbox, or it refuses us for good. `complained`: its reader marked a mail as spam. */
export const SUPPRESSION_KINDS = ['bounced', 'complained'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

export const suppression = rule.view({
  email: rule.text,
  kind: rule.oneOf(SUPPRESSION_KINDS),
  /** What the server of the mailbox said, as text; '' if it said nothing. */
  reason: rule.text,
  at: rule.time,
});
export type Suppression = rule.TypeOf<typeof suppression>;

/** Neither when nor why: an unconfirmed address may be another person's, whose complaint reads as a bounce. */
export const ownSuppression = rule.view({ email: rule.text, kind: rule.oneOf(SUPPRESSION_KINDS) });
export type OwnSuppression = rule.TypeOf<typeof ownSuppression>;

/** Addresses of one request: those of the team at most. */
const ADDRESSES_MAX = 500;
const workerByService = operationsOf('worker', { roles: ['service'] });

/** worker's operations. Addresses are in bodies because those of requests are logged. */
export const suppressionEndpoints = {
  /** Those of the addresses to which nothing is sent. */
  findSuppressions: workerByService('POST /suppressions/find', {
    input: {
      emails: rule.ofType<string[]>(Joi.array().items(Joi.string().max(254)).max(ADDRESSES_MAX).required()),
    },
    reply: { data: rule.listOf(suppression) },
  }),
  /** Sends to an address again, and has SendGrid do so. Throws `worker.suppression_kept` while SendGrid does not take part. */
  liftSuppression: workerByService('POST /suppressions/lift', {
    input: { email: Joi.string().max(254).required() },
  }),
  /** Sends a mail that says nothing but that it has arrived. */
  sendTestMail: workerByService('POST /users/:userId/test-mail', { status: 202 }),
} as const;

/** identity's record of an admin who has mail sent to the address of an account again, which it returns. */
export const emailRetryEndpoints = {
  /** `role`: of the account. Throws `identity.user_not_found` for any other, and for an admin's unless an owner calls. */
  recordEmailRetry: operationsOf('identity')('POST /accounts/:id/email-retries', {
    roles: ['admin'],
    input: { role: rule.oneOf(['user', 'admin']) },
    reply: { data: rule.view({ email: rule.text }) },
  }),
} as const;

/** `version` grows with each change of the account's address. Sessions of the account that are older than `generation` end. */
const changedEmail = { userId: rule.uuid, email: rule.text, version: rule.count, generation: rule.count };
export type ChangedEmail = rule.TypeOf<typeof changedEmail>;

/**
 * `isVerified`: whether the user has proved that the address is theirs. `pendingEmail`: the new address that the user has requested
 * and not confirmed yet. `confirmBy`: when the account is given up unless the address is confirmed; null for one that is kept.
 * `suppression`: nothing is sent to the address, or to the pending one; null while mails arrive.
 */
const email = {
  email: rule.text,
  isVerified: rule.flag,
  pendingEmail: rule.nullable(rule.text),
  confirmBy: rule.nullable(rule.time),
};
export const emailView = rule.view(email);
export type EmailView = rule.TypeOf<typeof emailView>;
const ownEmail = rule.view({ ...email, suppression: rule.nullable(ownSuppression) });
export type OwnEmail = rule.TypeOf<typeof ownEmail>;

/** `access`: what acts for the user now, and ends with the undo. */
const undoable = { email: rule.text, isConfirmed: rule.flag, access: accessView, deletion: rule.flag };
export type UndoableEmail = rule.TypeOf<typeof undoable>;
/** What is taken from an account with its undo: factors that were added since the request, all that acts for the user, a deletion. */
const removedFactors = { twoStep: rule.flag, recoveryCodes: rule.flag, passkeys: rule.count };
export type RemovedFactors = rule.TypeOf<typeof removedFactors>;
const removedAccess = rule.view({
  ...removedFactors,
  apiKeys: rule.count,
  webhooks: rule.count,
  connections: rule.count,
  deletion: rule.flag,
});
export type RemovedAccess = rule.TypeOf<typeof removedAccess>;
const undoneEmail = rule.view({ ...changedEmail, removed: removedAccess });
export type UndoneEmail = rule.TypeOf<typeof undoneEmail>;

const ofToken = { token: mailedToken };
/** The session that makes a change, which stays. */
const keptSessionId = rule.mayLack(rule.uuid);
/** `currentPassword`: required, unless the caller has proved the user's identity in another way. */
const newEmail = { email: newEmailSchema, currentPassword: rule.mayLack(loginPassword) };
const operation = operationsOf('identity');
const byAnonymous = operationsOf('identity', { roles: ['anonymous'] });
const byUser = operationsOf('identity', { roles: ['user'], self: 'id' });

export const emailChangeEndpoints = {
  /** Mails the new address a link and a code, and ends an open request. Response and work are the same for an address that is taken. */
  requestEmailChange: byUser('POST /accounts/:id/email-change', { status: 202, input: newEmail }),
  /** Causes another mail; does nothing without an open request. */
  resendEmailChange: byUser('POST /accounts/:id/email-change/resend', { status: 202 }),
  cancelEmailChange: byUser('DELETE /accounts/:id/email-change', {}),
  /** Throws `identity.link_ended`, or `identity.email_taken` when the address has an account by now. */
  confirmEmailChange: operation('POST /email-changes/confirm', {
    roles: ['anonymous', 'user'],
    input: { ...ofToken, keptSessionId },
    reply: { data: rule.view(changedEmail) },
  }),
  /** Throws `identity.email_code_wrong`, after too many wrong codes also for the right one. */
  confirmEmailChangeCode: byUser('POST /accounts/:id/email-change/confirm', {
    input: { code: mailedCode, keptSessionId },
    reply: { data: rule.view(changedEmail) },
  }),
  /** The address that the link of an undo brings back, or keeps while the change is not confirmed. Throws `identity.link_ended`. */
  checkEmailUndo: byAnonymous('POST /email-changes/undo/check', {
    input: ofToken,
    reply: { data: rule.view({ ...undoable, userId: rule.uuid }) },
  }),
  /** Ends a change, sets a new password, and removes what another person may have left, in one step. The token works until it has succeeded. */
  undoEmailChange: byAnonymous('POST /email-changes/undo', {
    input: { ...ofToken, password: newPassword, words: passwordWords },
    reply: { data: undoneEmail },
  }),
} as const;

/** Why an account is kept although its address was never confirmed. */
const KEPT_FOR = ['plan', 'credits'] as const;
export type KeptFor = (typeof KEPT_FOR)[number];
const ofUnconfirmed = operationsOf('identity', { roles: ['service'] });

/** identity's operations about accounts whose address was not confirmed, which are given up after UNCONFIRMED_DAYS. */
export const unconfirmedEndpoints = {
  /** The accounts for which a step is due, unless they are in use. */
  listUnconfirmed: operation('GET /unconfirmed-accounts', {
    roles: ['service'],
    reply: { data: rule.listOf(rule.view({ userId: rule.uuid, step: rule.oneOf(['remind', 'give_up']) })) },
  }),
  /** Causes the reminder; does nothing the second time, or for a confirmed address. */
  remindUnconfirmed: ofUnconfirmed('POST /unconfirmed-accounts/:userId/remind', {}),
  /** Deletes the account, unless it is confirmed or kept meanwhile. */
  giveUpAccount: ofUnconfirmed('POST /unconfirmed-accounts/:userId/give-up', {
    reply: { deleted: rule.flag },
  }),
  /** Keeps an account that is in use. Does nothing for a confirmed address. */
  keepAccount: ofUnconfirmed('POST /unconfirmed-accounts/:userId/keep', {
    input: { keptFor: rule.oneOf(KEPT_FOR) },
  }),
} as const;

const changed = { data: rule.view({ email: rule.text }) };

/** The public endpoints of email addresses: their change, and what keeps mails from them. */
export const publicEmailEndpoints = {
  /** Has mail sent again: a link, or a test. Limited like other mails. Throws `worker.complaint_kept` where another person may have complained. */
  retryEmail: forUsers('POST /api/email/retry', { status: 202, reply: { message: rule.message } }),
  retryUserEmail: forAdmins('POST /api/users/:id/email/retry', {
    permission: 'users.edit',
    reply: { message: rule.message },
  }),
  retryAdminEmail: forAdmins('POST /api/admin/team/:id/email/retry', {
    permission: 'team.manage',
    reply: { message: rule.message },
  }),
  email: forUsers('GET /api/email', { whileViewing: true, reply: { data: ownEmail } }),
  /** Responds alike for a taken address. Requires `currentPassword` or a recent proof; with two-step verification always the latter. */
  requestEmailChange: forUsers('POST /api/email/change', {
    status: 202,
    input: newEmail,
    reply: { message: rule.message },
  }),
  resendEmailChange: forUsers('POST /api/email/change/resend', {
    status: 202,
    reply: { message: rule.message },
  }),
  cancelEmailChange: forUsers('DELETE /api/email/change', { reply: { message: rule.message } }),
  /** Confirms the new address by the token of a link, which needs no session. */
  confirmEmailChange: forEverybody('POST /api/email/change/confirm', { input: ofToken, reply: changed }),
  confirmEmailChangeCode: forUsers('POST /api/email/change/confirm-code', {
    input: { code: mailedCode },
    reply: changed,
  }),
  /** The address that the link brings back, or keeps while the change is not confirmed. */
  checkEmailUndo: forEverybody('POST /api/email/undo/check', {
    input: ofToken,
    reply: { data: rule.view(undoable) },
  }),
  /** Brings the former address back, sets a new password, and ends every session and all other access, in one step. */
  undoEmailChange: forEverybody('POST /api/email/undo', {
    input: { ...ofToken, password: newPassword },
    reply: { data: rule.view({ email: rule.text, removed: removedAccess }) },
  }),
} as const;
