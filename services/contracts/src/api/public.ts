import Joi from 'joi';
import type { AdminRole } from '../admin-permissions.ts';
import type { DirectoryExport, DirectoryQuery } from '../directory.ts';
import type { EarningsView } from '../earnings.ts';
import type { ListedFieldName } from '../profile-fields.ts';
import { emailSchema, type LoginInput } from '../schemas/account.ts';
import {
  alertId,
  type AuditQuery,
  auditQuerySchema,
  type EarningsQuery,
  earningsRules,
} from '../schemas/admin.ts';
import { directoryExportRules, directoryRules, newestRules } from '../schemas/directory.ts';
import { userId } from '../schemas/text.ts';
import type { AlertView, SystemView } from '../system.ts';
import type { AuditView } from './audit.ts';
import { publicViewingEndpoints } from './identity.ts';
import { emailEndpoints, passwordEndpoints, publicPrivacyEndpoints } from './public-account.ts';
import { forAdmins, forEverybody, forSessions, forUsers } from './public-endpoint.ts';
import { type Price, publicPlanEndpoints } from './public-plan.ts';
import {
  type AdminLogIn,
  publicFactorEndpoints,
  publicSessionEndpoints,
  type SecondStepReply,
  type UserLogIn,
} from './public-sessions.ts';
import { publicTeamEndpoints } from './public-team.ts';
import type { UserView } from './user-view.ts';

export type { Continuation, PlanOutlook, UserView } from './user-view.ts';

/** A row of the admin's user list. `plan` is a copy for display and filters; entitlements never depend on it. */
export type DirectoryRow = Pick<
  UserView,
  'id' | 'email' | 'picture' | 'createdAt' | 'plan' | ListedFieldName
>;

/** `total` is exact, unless `isCapped`: counting stops at DIRECTORY_COUNT_MAX. */
export type DirectoryPage = { data: DirectoryRow[]; total: number; isCapped: boolean; next: string | null };

/** The numbers of all users and of the premium ones. `countedAt`: a large directory is not counted for every request. */
export type DirectoryTotals = { registered: number; premium: number; countedAt: string };

/** The configuration of this installation that the browser needs. */
export type PublicConfig = {
  brand: string;
  /** The consent that a sign-up requires, or null. `text` replaces our own; it marks links by <terms> and <privacy>. */
  consent: { version: string; text: string | null } | null;
  /** The price of the current offer, as Stripe charges it. */
  price: Price;
  /** The minimum length of a new password, in characters. */
  passwordMin: number;
  links: {
    automationBot: string;
    crm: string;
    about: string;
    support: string;
    privacy: string;
    terms: string;
    provider: string;
  };
};

/** `deletionDueAt`: the account is about to be deleted, and the session may only keep it. */
export type CheckedUser = { remainingTime: number; user: UserView; deletionDueAt?: string };

type None = Record<never, never>;
type Message = { message: string };

// Validated in the handler: the response to an invalid log-in has an error code of its own (docs/product.md).
const anyInput = Joi.object<LoginInput>().unknown();

/** The endpoints of the backend-for-frontend. Those without /api in their path are also served under /api. */
export const publicEndpoints = {
  ...passwordEndpoints,
  ...emailEndpoints,
  /** `isPending`: the account is created when its address is confirmed by mail. Left out otherwise. */
  signup: forEverybody<
    FormData,
    Message & { data: { id: string; email: string; picture: string | null; isPending?: boolean } }
  >({ method: 'POST', path: '/signup', permission: 'users.create', body: 'form', status: 201 }),
  login: forEverybody<LoginInput, UserLogIn | SecondStepReply>({
    method: 'POST',
    path: '/login',
    beforeSecondFactor: true,
    input: anyInput,
  }),
  adminLogin: forEverybody<LoginInput, AdminLogIn | SecondStepReply>({
    method: 'POST',
    path: '/super-admin-authentication',
    beforeSecondFactor: true,
    input: anyInput,
  }),
  ...publicFactorEndpoints,
  checkUser: forUsers<None, CheckedUser>({
    method: 'GET',
    path: '/authentication_check',
    whileViewing: true,
    duringDeletion: true,
  }),
  checkAdmin: forAdmins<None, { remainingTime: number; role: AdminRole; needsSecondFactor?: boolean }>({
    method: 'GET',
    path: '/check_authentication',
    permission: 'own_account',
    beforeSecondFactor: true,
  }),
  logout: forEverybody<None, Message>({
    method: 'POST',
    path: '/api/logout',
    whileViewing: true,
    beforeSecondFactor: true,
  }),
  emailAvailability: forEverybody<{ email: string }, { available: boolean }>({
    method: 'GET',
    path: '/api/email-availability',
    input: { email: emailSchema },
  }),
  listUsers: forAdmins<DirectoryQuery, DirectoryPage>({
    method: 'GET',
    path: '/users',
    permission: 'users.read',
    input: directoryRules,
  }),
  exportUsers: forAdmins<DirectoryExport, string>({
    method: 'GET',
    path: '/api/users.csv',
    permission: 'users.export',
    recent: true,
    input: directoryExportRules,
  }),
  userTotals: forAdmins<None, { data: DirectoryTotals }>({
    method: 'GET',
    path: '/api/users/totals',
    permission: 'users.read',
  }),
  newestUsers: forAdmins<{ limit?: number }, { data: DirectoryRow[] }>({
    method: 'GET',
    path: '/api/users/newest',
    permission: 'users.read',
    input: newestRules,
  }),
  getUser: forAdmins<{ id: string }, { data: UserView }>({
    method: 'GET',
    path: '/api/users/:id',
    permission: 'users.read',
    input: { id: userId },
  }),
  updateUser: forSessions<FormData, Message & { data: UserView }>({
    method: 'PUT',
    path: '/users/:id',
    permission: 'users.edit',
    body: 'form',
    input: { id: Joi.any() },
  }),
  deleteUser: forAdmins<{ id: string }, Message>({
    method: 'DELETE',
    path: '/users/:id',
    permission: 'users.delete',
    recent: true,
    input: { id: userId },
  }),
  earnings: forAdmins<EarningsQuery, { data: EarningsView }>({
    method: 'GET',
    path: '/api/admin/earnings',
    permission: 'revenue.read',
    input: earningsRules,
  }),
  audit: forAdmins<AuditQuery, { data: AuditView[]; next: string | null }>({
    method: 'GET',
    path: '/api/admin/audit',
    permission: 'audit.read',
    input: auditQuerySchema,
  }),
  system: forAdmins<None, { data: SystemView }>({
    method: 'GET',
    path: '/api/admin/system',
    permission: 'system.read',
  }),
  resolveAlert: forAdmins<{ alertId: string }, { data: AlertView }>({
    method: 'POST',
    path: '/api/admin/alerts/:alertId/resolve',
    permission: 'alerts.resolve',
    input: { alertId },
  }),
  config: forEverybody<None, PublicConfig>({
    method: 'GET',
    path: '/api/config',
    whileViewing: true,
    beforeSecondFactor: true,
  }),
  ...publicPlanEndpoints,
  ...publicSessionEndpoints,
  ...publicPrivacyEndpoints,
  ...publicTeamEndpoints,
  ...publicViewingEndpoints,
} as const;

/** Paths whose requests are not JSON. */
export const publicPaths = {
  stripeWebhook: '/api/webhooks/stripe',
  pictures: '/profile_pictures/',
  live: '/api/live',
} as const;

/** The cross-site request forgery token: the cookie that carries it and the header that repeats it. */
export const XSRF_COOKIE = 'XSRF-TOKEN';
export const XSRF_HEADER = 'x-xsrf-token';
