import Joi from 'joi';
import { ADMIN_ROLES, type AdminAccess } from '../admin-permissions.ts';
import {
  adminName,
  emailSchema,
  loginPassword,
  mailedToken,
  newPassword,
  passwordWords,
} from '../schemas/account.ts';
import {
  flag,
  type Message,
  message,
  nullable,
  oneOf,
  text,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';

import type { EmailView } from './email.ts';
import { forAdmins, forEverybody, FORM_BYTES, forSessions } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

export type Role = 'user' | 'admin';

/** What a token that is sent by mail is for. */
const TOKEN_PURPOSES = [
  'password_reset',
  'email_verify',
  'email_change',
  'email_undo',
  'admin_invite',
] as const;

export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

/** `reference`: what the token is about, where the purpose and the account do not say it. */
export type TokenOrder = { purpose: TokenPurpose; userId: string; reference?: string };

/** A secret for a mail, and the address that it must be sent to. `code`: six digits, for the purposes that have one. */
export type IssuedToken = { token: string; code: string | null; email: string };

/**
 * `currentPassword`: required for the caller's own account. `words`: the new password must not equal one of them, such as the
 * names of the user. `keptSessionId`: the session that makes the change, which stays.
 */
export type PasswordChange = {
  id: string;
  password: string;
  currentPassword?: string;
  words?: string[];
  keptSessionId?: string;
};

/** Every session of the account that is older than `generation` ends. */
export type PasswordReset = { userId: string; email: string; generation: number };

/** `admin`: what an admin may do; null for a user. */
export type Account = {
  id: string;
  email: string;
  role: Role;
  createdAt: string;
  admin: AdminAccess | null;
};

/** An admin as others see them. `name`: null until the admin has entered one. A suspended one has no role. */
const adminView = view({
  userId: uuid,
  email: text,
  name: nullable(text),
  role: nullable(oneOf(ADMIN_ROLES)),
});
export type AdminView = TypeOf<typeof adminView>;

const passwordChangeRules: Joi.StrictSchemaMap<PasswordChange> = {
  id: uuid,
  password: newPassword,
  currentPassword: loginPassword.optional(),
  words: passwordWords,
  keptSessionId: uuid.optional(),
};

export const identityEndpoints = {
  /** Every admin, for mails and for the names in the audit log. */
  listAdmins: serviceEndpoint<None, { data: AdminView[] }>({
    method: 'GET',
    path: '/admins',
    roles: ['admin', 'service'],
  }),
  getAdmin: serviceEndpoint<{ id: string }, { data: AdminView }>({
    method: 'GET',
    path: '/admins/:id',
    roles: ['admin'],
    self: 'id',
    selfOnly: true,
    input: { id: uuid },
  }),
  renameAdmin: serviceEndpoint<{ id: string; name: string }, { data: AdminView }>({
    method: 'PUT',
    path: '/admins/:id/name',
    roles: ['admin'],
    self: 'id',
    selfOnly: true,
    input: { id: uuid, name: adminName },
  }),
  /** Makes all checks of a change and changes nothing, for an edit that changes other data first. */
  checkPasswordChange: serviceEndpoint<PasswordChange, None>({
    method: 'POST',
    path: '/accounts/:id/password/check',
    roles: ['user', 'admin'],
    self: 'id',
    input: passwordChangeRules,
  }),
  /**
   * Ends all sessions of an account: those older than `generation`. `withAccess`: also its API keys, connected tools and webhooks, in the same
   * step.
   */
  endSessions: serviceEndpoint<{ id: string; withAccess?: boolean }, { generation: number }>({
    method: 'POST',
    path: '/accounts/:id/end-sessions',
    roles: ['user', 'admin'],
    self: 'id',
    input: { id: uuid, withAccess: flag.optional() },
  }),
  /** Ends one session, which bff has ended: a change that stands on it is refused. */
  endSession: serviceEndpoint<{ id: string; sessionId: string }, None>({
    method: 'POST',
    path: '/accounts/:id/sessions/:sessionId/end',
    roles: ['user', 'admin'],
    self: 'id',
    selfOnly: true,
    comparesRights: false,
    input: { id: uuid, sessionId: uuid },
  }),
  /** Sessions older than `generation` end. */
  changePassword: serviceEndpoint<PasswordChange, { generation: number }>({
    method: 'PUT',
    path: '/accounts/:id/password',
    roles: ['user', 'admin'],
    self: 'id',
    input: passwordChangeRules,
  }),
  /** The response and the work are the same for an address without an account. */
  requestPasswordReset: serviceEndpoint<{ email: string }, None>({
    method: 'POST',
    path: '/password-resets',
    roles: ['anonymous'],
    status: 202,
    input: { email: emailSchema },
  }),
  /** The account of an open token. Throws `identity.link_ended`. */
  checkPasswordReset: serviceEndpoint<
    { token: string },
    { data: { userId: string; email: string; role: Role } }
  >({ method: 'POST', path: '/password-resets/check', roles: ['anonymous'], input: { token: mailedToken } }),
  /** `words`: the password must not equal one of them, such as the names of the user. */
  resetPassword: serviceEndpoint<
    { token: string; password: string; words?: string[] },
    { data: PasswordReset }
  >({
    method: 'POST',
    path: '/password-resets/use',
    roles: ['anonymous'],
    input: { token: mailedToken, password: newPassword, words: passwordWords },
  }),
  email: serviceEndpoint<{ id: string }, { data: EmailView }>({
    method: 'GET',
    path: '/accounts/:id/email',
    roles: ['user', 'service'],
    self: 'id',
    input: { id: uuid },
  }),
  /** Called when a mail is sent, so that no secret waits in an event or in a table of mails. */
  issueMailedToken: serviceEndpoint<TokenOrder, { data: IssuedToken }>({
    method: 'POST',
    path: '/mailed-tokens',
    roles: ['service'],
    input: {
      purpose: oneOf(TOKEN_PURPOSES),
      userId: uuid,
      reference: uuid.optional(),
    },
  }),
} as const;

/** An admin's own account. */
export const ownAdminEndpoints = {
  ownAdmin: forAdmins<None, { data: AdminView }>({
    method: 'GET',
    path: '/api/admin/me',
    permission: 'own_account',
    beforeSecondFactor: true,
    reply: { data: adminView },
  }),
  renameOwnAdmin: forAdmins<{ name: string }, { data: AdminView }>({
    method: 'PUT',
    path: '/api/admin/me',
    permission: 'own_account',
    input: { name: adminName },
    reply: { data: adminView },
  }),
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
