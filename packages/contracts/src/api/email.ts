import Joi from 'joi';
import * as rule from '../schemas/validation.ts';
import {
  addressesOf,
  forAdmins,
  forEverybody,
  forStrangers,
  forUsers,
  operationsOf,
  toAdmins,
  toUsers,
} from './operation.ts';
import {
  loginPassword,
  mailedCode,
  mailedToken,
  newEmailSchema,
  newPassword,
  passwordWords,
} from '../schemas/account.ts';
import { accessView } from './connected-apps.ts';

// Suppressed addresses, to which nothing is sent because an email bounced or was reported as spam: how SendGrid reports them, and how a
// suppression ends.

/** worker's path for SendGrid's event webhook, which bff forwards. */
export const SENDGRID_WEBHOOK_PATH = '/webhooks/sendgrid';
/** SendGrid sends a batch when it has 768 kilobytes, or after half a minute. */
export const SENDGRID_WEBHOOK_BYTES = 1024 * 1024;
/** SendGrid signs the timestamp followed by the body. */
export const SENDGRID_SIGNATURE_HEADER = 'x-twilio-email-event-webhook-signature';
export const SENDGRID_TIMESTAMP_HEADER = 'x-twilio-email-event-webhook-timestamp';

/** `bounced`: the mailbox does not exist or refuses us permanently. `complained`: the recipient marked an email as spam. */
export const SUPPRESSION_KINDS = ['bounced', 'complained'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

export const suppression = rule.view({
  email: rule.text,
  kind: rule.oneOf(SUPPRESSION_KINDS),
  /** The text that the recipient's server returned; '' if none. */
  reason: rule.text,
  at: rule.time,
});
export type Suppression = rule.TypeOf<typeof suppression>;

/** Without time and reason, and a complaint shows as a bounce: an unconfirmed address may belong to another person. */
export const ownSuppression = rule.view({ email: rule.text, kind: rule.oneOf(SUPPRESSION_KINDS) });
export type OwnSuppression = rule.TypeOf<typeof ownSuppression>;

/** The most addresses in one request: those of the whole team. */
const ADDRESSES_MAX = 500;
const workerByService = operationsOf('worker', { roles: ['service'] });

/** worker's operations. Addresses are in bodies because those of requests are logged. */
export const suppressionEndpoints = {
  /** Returns the suppressed ones among the addresses. */
  findSuppressions: workerByService('POST /suppressions/find', {
    input: {
      emails: rule.ofType<string[]>(Joi.array().items(Joi.string().max(254)).max(ADDRESSES_MAX).required()),
    },
    reply: { data: rule.listOf(suppression) },
  }),
  /** Lifts the suppression of an address here and at SendGrid. Throws `worker.suppression_kept` if SendGrid fails. */
  liftSuppression: workerByService('POST /suppressions/lift', {
    input: { email: Joi.string().max(254).required() },
  }),
  /** Sends a test email. */
  sendTestMail: workerByService('POST /users/:userId/test-mail', { status: 202 }),
} as const;

/** The kinds of emails that a user can turn off: warnings about credits, and news and tips. */
export const UNSUBSCRIBABLE_KINDS = ['credits', 'news'] as const;
export type UnsubscribableKind = (typeof UNSUBSCRIBABLE_KINDS)[number];

/** The page of a mail's link, to which the mail program itself sends a POST for one click (RFC 8058). */
export const UNSUBSCRIBE_PATH = '/unsubscribe';

const ofUnsubscribeLink = {
  token: rule.nonEmptyText.max(200).messages(rule.oneMessage('This link is incomplete')),
};
/** From a mail program: without cookies, with a form whose only field says the same in each mail. */
export const oneClickUnsubscribe = forStrangers(`POST ${UNSUBSCRIBE_PATH}`, {
  crossSiteCheck: false,
  body: 'stream',
  input: ofUnsubscribeLink,
  reply: rule.noData,
});

export const unsubscribeEndpoints = {
  /** Turns off the emails of the kind that the token names. Repeating it has no effect. Throws `worker.unsubscribe_refused`. */
  unsubscribe: operationsOf('worker')('POST /unsubscribe', {
    roles: ['anonymous'],
    input: ofUnsubscribeLink,
  }),
} as const;

const newsMails = rule.view({ enabled: rule.flag });
export type NewsMails = rule.TypeOf<typeof newsMails>;
const newsByUser = operationsOf('worker', { roles: ['user'], self: 'userId' });

/** Whether a user gets news and tips. They are on unless the user turned them off. */
export const newsMailEndpoints = {
  getNewsMails: newsByUser('GET /users/:userId/news-mails', {
    reply: newsMails,
    public: { newsMails: toUsers('/api/email/news', { whileViewing: true }) },
  }),
  setNewsMails: newsByUser('PUT /users/:userId/news-mails', {
    input: { enabled: rule.flag },
    reply: newsMails,
    public: { setNewsMails: toUsers('/api/email/news') },
  }),
} as const;

/** `name`: of the template, with a number where it has variants. `canTurnOff`: whether its readers can turn off emails of this kind. */
const exampleMail = { name: rule.text, subject: rule.text, canTurnOff: rule.flag };
const exampleMailView = rule.view(exampleMail);
export type ExampleMail = rule.TypeOf<typeof exampleMailView>;

const ofExample = { name: rule.textLike(/^[a-z_]{1,40}(-\d{1,2})?$/) };
const READ_EXAMPLES = { permission: 'system.read' } as const;

/** Every email with the values of an example. The last two throw `worker.mail_not_found`. */
export const exampleMailEndpoints = {
  listExampleMails: operationsOf('worker')('GET /example-mails', {
    roles: ['admin'],
    reply: { data: rule.listOf(exampleMailView) },
    public: { exampleMails: toAdmins('/api/admin/emails', READ_EXAMPLES) },
  }),
  getExampleMail: operationsOf('worker')('GET /example-mails/:name', {
    roles: ['admin'],
    input: ofExample,
    reply: { data: rule.view({ ...exampleMail, text: rule.text, html: rule.text }) },
    public: { exampleMail: toAdmins('/api/admin/emails/:name', READ_EXAMPLES) },
  }),
  /** Sends an email to the admin, marked as a test. */
  sendExampleMail: operationsOf('worker')('POST /example-mails/:name/send', {
    roles: ['admin'],
    status: 202,
    input: ofExample,
  }),
} as const;

/** Records that an admin retried the email of an account, and returns the email. */
export const emailRetryEndpoints = {
  /** `role`: the account's. Throws `identity.user_not_found` for any other role, and for an admin's account unless an owner calls. */
  recordEmailRetry: operationsOf('identity')('POST /accounts/:id/email-retries', {
    roles: ['admin'],
    input: { role: rule.oneOf(['user', 'admin']) },
    reply: { data: rule.view({ email: rule.text }) },
  }),
} as const;

/** `version` grows with each change of the email. Sessions of the account that are older than `generation` end. */
const changedEmail = { userId: rule.uuid, email: rule.text, version: rule.count, generation: rule.count };
export type ChangedEmail = rule.TypeOf<typeof changedEmail>;

/**
 * `isVerified`: whether the user has proved that the email is theirs. `pendingEmail`: a requested new email that is not confirmed yet.
 * `confirmBy`: when the account will be deleted unless the email is confirmed; null if it is kept. `suppression`: set if the email, or the
 * pending one, is suppressed.
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
/**
 * What an undo removes from an account: factors that were added since the request, everything that acts for the user, and a requested deletion.
 */
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
/** The session that makes the change, which stays open. */
const keptSessionId = rule.mayLack(rule.uuid);
/** `currentPassword`: required unless the user's identity was proved in another way. */
const newEmail = { email: newEmailSchema, currentPassword: rule.mayLack(loginPassword) };
const operation = operationsOf('identity');
const byAnonymous = operationsOf('identity', { roles: ['anonymous'] });
const byUser = operationsOf('identity', { roles: ['user'], self: 'id' });

export const emailChangeEndpoints = {
  /** Emails a link and a code to the new address, and ends an open request. Response and work are the same if the address is taken. */
  requestEmailChange: byUser('POST /accounts/:id/email-change', { status: 202, input: newEmail }),
  /** Causes another email; does nothing without an open request. */
  resendEmailChange: byUser('POST /accounts/:id/email-change/resend', { status: 202 }),
  cancelEmailChange: byUser('DELETE /accounts/:id/email-change', {}),
  /** Throws `identity.link_ended`, or `identity.email_taken` if another account has the email by now. */
  confirmEmailChange: operation('POST /email-changes/confirm', {
    roles: ['anonymous', 'user'],
    input: { ...ofToken, keptSessionId },
    reply: { data: rule.view(changedEmail) },
  }),
  /** Throws `identity.email_code_wrong`; after too many wrong codes, even for the right one. */
  confirmEmailChangeCode: byUser('POST /accounts/:id/email-change/confirm', {
    input: { code: mailedCode, keptSessionId },
    reply: { data: rule.view(changedEmail) },
  }),
  /** The email that an undo link restores, or keeps while the change is not confirmed. Throws `identity.link_ended`. */
  checkEmailUndo: byAnonymous('POST /email-changes/undo/check', {
    input: ofToken,
    reply: { data: rule.view({ ...undoable, userId: rule.uuid }) },
  }),
  /** Undoes a change, sets a new password, and removes what an intruder may have left, in one step. The token works until this succeeds. */
  undoEmailChange: byAnonymous('POST /email-changes/undo', {
    input: { ...ofToken, password: newPassword, words: passwordWords },
    reply: { data: undoneEmail },
  }),
} as const;

/** For the list of users. The address is in the body because those of requests are logged. */
export const formerEmailEndpoints = {
  /** The accounts that changed from the email within EMAIL_UNDO_DAYS, after the one that has it now; none if no account changed. */
  findFormerOwners: operation('POST /email-changes/former-owners', {
    roles: ['admin'],
    input: { email: Joi.string().max(254).required() },
    reply: { data: rule.listOf(rule.uuid) },
  }),
} as const;

/** Why an account is kept although its email was never confirmed. */
const KEPT_FOR = ['plan', 'credits'] as const;
export type KeptFor = (typeof KEPT_FOR)[number];
const byService = operationsOf('identity', { roles: ['service'] });

/** identity's operations on unconfirmed accounts, which are deleted after UNCONFIRMED_DAYS. */
export const unconfirmedEndpoints = {
  /** The accounts that are due for a reminder or for deletion, unless they are in use. */
  listUnconfirmed: byService('GET /unconfirmed-accounts', {
    reply: { data: rule.listOf(rule.view({ userId: rule.uuid, step: rule.oneOf(['remind', 'give_up']) })) },
  }),
  /** Causes the reminder, once; does nothing if the email is confirmed. */
  remindUnconfirmed: byService('POST /unconfirmed-accounts/:userId/remind', {}),
  /** Deletes the account unless it has been confirmed or kept in the meantime. */
  giveUpAccount: byService('POST /unconfirmed-accounts/:userId/give-up', { reply: { deleted: rule.flag } }),
  /** Keeps an account that is in use. Does nothing if the email is confirmed. */
  keepAccount: byService('POST /unconfirmed-accounts/:userId/keep', {
    input: { keptFor: rule.oneOf(KEPT_FOR) },
  }),
} as const;

const changed = { data: rule.view({ email: rule.text }) };

/** The public endpoints for emails: their change and their suppressions. */
export const publicEmailEndpoints = {
  ...addressesOf(exampleMailEndpoints),
  ...addressesOf(newsMailEndpoints),
  /** Limited like other emails. */
  sendExampleMail: forAdmins('POST /api/admin/emails/:name/send', {
    permission: 'system.read',
    status: 202,
    input: ofExample,
    reply: rule.noData,
  }),
  /** Sends a link or a test email again. Limited like other emails. Throws `worker.complaint_kept` if another person may have complained. */
  retryEmail: forUsers('POST /api/email/retry', { status: 202, reply: rule.noData }),
  retryUserEmail: forAdmins('POST /api/users/:id/email/retry', {
    permission: 'users.edit',
    reply: rule.noData,
  }),
  retryAdminEmail: forAdmins('POST /api/admin/team/:id/email/retry', {
    permission: 'team.manage',
    reply: rule.noData,
  }),
  /** From the page of the link, whose button a program that only opens links does not press. */
  unsubscribe: forEverybody('POST /api/email/unsubscribe', {
    input: ofUnsubscribeLink,
    reply: rule.noData,
  }),
  email: forUsers('GET /api/email', { whileViewing: true, reply: { data: ownEmail } }),
  /**
   * The response is the same if the address is taken. Requires `currentPassword` or a recent proof of identity; with two-step verification
   * always the latter.
   */
  requestEmailChange: forUsers('POST /api/email/change', {
    status: 202,
    input: newEmail,
    reply: rule.noData,
  }),
  resendEmailChange: forUsers('POST /api/email/change/resend', { status: 202, reply: rule.noData }),
  cancelEmailChange: forUsers('DELETE /api/email/change', { reply: rule.noData }),
  /** Confirms the new email by the token of a link. Requires no session. */
  confirmEmailChange: forEverybody('POST /api/email/change/confirm', { input: ofToken, reply: changed }),
  confirmEmailChangeCode: forUsers('POST /api/email/change/confirm-code', {
    input: { code: mailedCode },
    reply: changed,
  }),
  /** The email that the link restores, or keeps while the change is not confirmed. */
  checkEmailUndo: forEverybody('POST /api/email/undo/check', {
    input: ofToken,
    reply: { data: rule.view(undoable) },
  }),
  /** Restores the former email, sets a new password, and ends every session and all other access, in one step. */
  undoEmailChange: forEverybody('POST /api/email/undo', {
    input: { ...ofToken, password: newPassword },
    reply: { data: rule.view({ email: rule.text, removed: removedAccess }) },
  }),
} as const;
