import { ADMIN_ROLES } from '../admin-permissions.ts';
import {
  adminName,
  emailSchema,
  loginPassword,
  mailedToken,
  newPassword,
  passwordWords,
} from '../schemas/account.ts';
import { unsubscribeRules } from '../plan.ts';
import * as rule from '../schemas/validation.ts';
import { emailView } from './email.ts';
import { addressesOf, forEverybody, FORM_BYTES, forSessions, operationsOf, toAdmins } from './operation.ts';
import { adminAccess } from './team.ts';

export const ROLES = ['user', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const TOKEN_PURPOSES = [
  'password_reset',
  'email_verify',
  'email_change',
  'email_undo',
  'admin_invite',
] as const;

export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

/** `reference`: what the token is for, if purpose and account do not determine it. */
const tokenOrder = {
  purpose: rule.oneOf(TOKEN_PURPOSES),
  userId: rule.uuid,
  reference: rule.mayLack(rule.uuid),
};
export type TokenOrder = rule.TypeOf<typeof tokenOrder>;

/** A secret for an email, and the address that it must be sent to. `code`: six digits, for the purposes that have one. */
const issuedToken = rule.view({ token: rule.text, code: rule.nullable(rule.text), email: rule.text });
export type IssuedToken = rule.TypeOf<typeof issuedToken>;

/**
 * `currentPassword`: required from the user. `words`: texts that the password must not equal, such as a name. `keptSessionId`: the session
 * that stays open.
 */
const passwordChange = {
  id: rule.uuid,
  password: newPassword,
  currentPassword: rule.mayLack(loginPassword),
  words: passwordWords,
  keptSessionId: rule.mayLack(rule.uuid),
};
export type PasswordChange = rule.TypeOf<typeof passwordChange>;

/** Every session of the account that is older than `generation` ends. */
const passwordReset = rule.view({ userId: rule.uuid, email: rule.text, generation: rule.count });
export type PasswordReset = rule.TypeOf<typeof passwordReset>;

/** `admin`: what an admin may do; null for a user. */
export const account = {
  id: rule.uuid,
  email: rule.text,
  role: rule.oneOf(ROLES),
  createdAt: rule.time,
  admin: rule.nullable(adminAccess),
};
export type Account = rule.TypeOf<typeof account>;

/** An admin as others see them. `name`: null until the admin enters one. A suspended admin has no role. */
const adminView = rule.view({
  userId: rule.uuid,
  email: rule.text,
  name: rule.nullable(rule.text),
  role: rule.nullable(rule.oneOf(ADMIN_ROLES)),
});
export type AdminView = rule.TypeOf<typeof adminView>;

const generation = { generation: rule.count };

/** What profile knows of an account. An older `emailVersion` changes nothing. */
export const accountCopy = rule.view({
  id: rule.uuid,
  email: rule.nonEmptyText,
  emailVersion: rule.count,
  createdAt: rule.time,
});
export type AccountCopy = rule.TypeOf<typeof accountCopy>;
/** Copies in one call. */
export const ACCOUNT_COPIES_MAX = 100;

const recovery = rule.view({ id: rule.uuid, done: rule.text });

const operation = operationsOf('identity');
const byAnonymous = operationsOf('identity', { roles: ['anonymous'] });
const byService = operationsOf('identity', { roles: ['service'] });
const byUserOrAdmin = operationsOf('identity', { roles: ['user', 'admin'], self: 'id' });
const byAdminThemself = operationsOf('identity', { roles: ['admin'], self: 'id', selfOnly: true });

export const identityEndpoints = {
  /** Every admin, for emails and for the names in the audit log. */
  listAdmins: operation('GET /admins', {
    roles: ['admin', 'service'],
    reply: { data: rule.listOf(adminView) },
  }),
  getAdmin: byAdminThemself('GET /admins/:id', {
    reply: { data: adminView },
    public: { ownAdmin: toAdmins('/api/admin/me', { permission: 'own_account', beforeSecondFactor: true }) },
  }),
  renameAdmin: byAdminThemself('PUT /admins/:id/name', {
    input: { name: adminName },
    reply: { data: adminView },
    public: { renameOwnAdmin: toAdmins('/api/admin/me', { permission: 'own_account' }) },
  }),
  /** Checks a change without making it, for an edit that changes other data first. */
  checkPasswordChange: byUserOrAdmin('POST /accounts/:id/password/check', { input: passwordChange }),
  /**
   * Ends the sessions older than `generation`. `withAccess`: API keys, connected apps and webhooks too, in the same step. `reason`: an
   * admin's, for the audit log.
   */
  endSessions: byUserOrAdmin('POST /accounts/:id/end-sessions', {
    input: { withAccess: rule.mayLack(rule.flag), reason: unsubscribeRules.reason },
    reply: generation,
  }),
  /** Records that bff has ended a session: changes that depend on it are refused. */
  endSession: byUserOrAdmin('POST /accounts/:id/sessions/:sessionId/end', {
    selfOnly: true,
    comparesRights: false,
  }),
  /** The same for one session of a user, which the audit log has. */
  endUserSession: operation('DELETE /accounts/:id/sessions/:sessionId', { roles: ['admin'] }),
  /** Sessions older than `generation` end. */
  changePassword: byUserOrAdmin('PUT /accounts/:id/password', { input: passwordChange, reply: generation }),
  /** Response and work are the same if the address has no account. */
  requestPasswordReset: byAnonymous('POST /password-resets', { status: 202, input: { email: emailSchema } }),
  /** The account of an open token. Throws `identity.link_ended`. */
  checkPasswordReset: byAnonymous('POST /password-resets/check', {
    input: { token: mailedToken },
    reply: { data: rule.view({ userId: rule.uuid, email: rule.text, role: rule.oneOf(ROLES) }) },
  }),
  /** `words`: the password must not equal one of them, such as the names of the user. */
  resetPassword: byAnonymous('POST /password-resets/use', {
    input: { token: mailedToken, password: newPassword, words: passwordWords },
    reply: { data: passwordReset },
  }),
  email: operation('GET /accounts/:id/email', {
    roles: ['user', 'service'],
    self: 'id',
    reply: { data: emailView },
  }),
  /** Of these ids, those that no account has. */
  listUnknownAccounts: byService('POST /accounts/unknown', {
    input: { ids: rule.listOf(rule.uuid) },
    reply: { data: rule.listOf(rule.uuid) },
  }),
  /**
   * Creates the accounts that identity has lost, as far as they were not deleted, and stores later addresses. Returns those that changed, each
   * with what was done in words. Lost passwords are replaced by mail.
   */
  recoverAccounts: byService('POST /accounts/recover', {
    input: { accounts: rule.listOf(accountCopy).max(ACCOUNT_COPIES_MAX) },
    reply: { data: rule.listOf(recovery) },
  }),
  /** Called when an email is sent, so that no secret is stored in an event or in the table of emails. */
  issueMailedToken: byService('POST /mailed-tokens', { input: tokenOrder, reply: { data: issuedToken } }),
} as const;

export const publicIdentityEndpoints = {
  ...addressesOf(identityEndpoints),
  /** The response is the same whether or not the address has an account. */
  forgotPassword: forEverybody('POST /api/password/forgot', {
    status: 202,
    input: { email: emailSchema },
    reply: rule.noData,
  }),
  /** The email of the account whose password the link sets. The token is in the body because URLs are logged. */
  checkReset: forEverybody('POST /api/password/reset/check', {
    input: { token: mailedToken },
    reply: { data: rule.view({ email: rule.text, isAdmin: rule.flag }) },
  }),
  resetPassword: forEverybody('POST /api/password/reset', {
    input: { token: mailedToken, password: newPassword },
    reply: rule.noData,
  }),
  changePassword: forSessions('PUT /api/password', {
    bodyBytes: 2 * FORM_BYTES,
    input: { currentPassword: loginPassword, password: newPassword },
    reply: rule.noData,
  }),
} as const;
