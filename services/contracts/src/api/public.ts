import Joi from 'joi';
import type { AdminRole } from '../admin-permissions.ts';
import {
  count,
  flag,
  listOf,
  message,
  nextCursor,
  nullableText,
  text,
  uuid,
  view,
} from '../schemas/parts.ts';
import {
  type AlertChange,
  alertChange,
  type AlertView,
  alertView,
  type EarningsQuery,
  earningsRules,
  type EarningsView,
  earningsView,
  type SystemView,
  systemView,
} from './admin-views.ts';
import { publicApiKeyEndpoints } from './api-keys.ts';
import {
  auditEntry,
  auditFilters,
  type AuditFilters,
  auditSearch,
  type AuditSearch,
  type AuditView,
} from './audit.ts';
import { type Price, price, publicPlanEndpoints } from './billing.ts';
import { publicConnectionEndpoints } from './connections.ts';
import { publicBucketEndpoints, publicPackEndpoints } from './credit-buckets.ts';
import { publicCreditsEndpoints } from './credits.ts';
import {
  type DirectoryExport,
  directoryExportRules,
  type DirectoryPage,
  type DirectoryQuery,
  directoryRow,
  type DirectoryRow,
  directoryRules,
  type DirectoryTotals,
  directoryTotals,
  newestRules,
} from './directory.ts';
import { emailEndpoints } from './email.ts';
import { publicFactorEndpoints } from './factors.ts';
import { ownAdminEndpoints, passwordEndpoints } from './identity.ts';
import { checkedUser, type CheckedUser, publicLogInEndpoints } from './log-in.ts';
import { publicPrivacyEndpoints } from './privacy.ts';
import { type UserView, userView } from './profile.ts';
import { forAdmins, forEverybody, forSessions, forUsers } from './public-endpoint.ts';
import { publicSessionEndpoints, publicViewingEndpoints } from './sessions.ts';
import { publicSignUpEndpoints } from './sign-up.ts';
import { publicStandingEndpoints } from './standing.ts';
import { adminRole, publicTeamEndpoints } from './team.ts';
import { publicToolEndpoints } from './tools.ts';
import { publicWebhookEndpoints } from './webhooks.ts';

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

const configView = view<PublicConfig>({
  brand: text,
  consent: Joi.object({ version: text, text: nullableText }).allow(null).required(),
  price,
  passwordMin: count,
  links: view<PublicConfig['links']>({
    automationBot: text,
    crm: text,
    about: text,
    support: text,
    privacy: text,
    terms: text,
    provider: text,
  }),
});

export type { DirectoryPage, DirectoryRow, DirectoryTotals } from './directory.ts';
export type { Continuation, PlanOutlook, UserView } from './profile.ts';

/** The areas of data that screens show. A stream of live updates names them, and a page reads again what it shows of them. */
export const AREAS = [
  'profile',
  'privacy',
  'subscription',
  'credits',
  'directory',
  'earnings',
  'security',
  'connections',
  'system',
  'config',
] as const;

export type Area = (typeof AREAS)[number];

/** What has changed, to admins: the users of whom, by area; null stands for more of them than a page can show. */
export type ChangedUsers = Partial<Record<Area, readonly string[] | null>>;

/** One message of the stream. A user is told which areas of their own data to read again, an admin whose data changed. */
export type LiveUpdate = { stale: readonly Area[] } | { changed: ChangedUsers };

type None = Record<never, never>;
type Message = { message: string };

/** The endpoints of the backend-for-frontend. Those without /api in their path are also served under /api. */
export const publicEndpoints = {
  ...passwordEndpoints,
  ...publicApiKeyEndpoints,
  ...publicWebhookEndpoints,
  ...publicConnectionEndpoints,
  ...ownAdminEndpoints,
  ...emailEndpoints,
  ...publicSignUpEndpoints,
  ...publicLogInEndpoints,
  ...publicFactorEndpoints,
  checkUser: forUsers<None, CheckedUser>({
    method: 'GET',
    path: '/authentication_check',
    whileViewing: true,
    duringDeletion: true,
    reply: checkedUser,
  }),
  checkAdmin: forAdmins<None, { remainingTime: number; role: AdminRole; needsSecondFactor?: boolean }>({
    method: 'GET',
    path: '/check_authentication',
    permission: 'own_account',
    beforeSecondFactor: true,
    reply: { remainingTime: count, role: adminRole, needsSecondFactor: Joi.boolean() },
  }),
  listUsers: forAdmins<DirectoryQuery, DirectoryPage>({
    method: 'GET',
    path: '/users',
    permission: 'users.read',
    input: directoryRules,
    reply: { data: listOf(directoryRow), total: count, isCapped: flag, next: nextCursor },
  }),
  exportUsers: forAdmins<DirectoryExport, string>({
    method: 'GET',
    path: '/api/users.csv',
    permission: 'users.export',
    recent: true,
    input: directoryExportRules,
    reply: null,
  }),
  userTotals: forAdmins<None, { data: DirectoryTotals }>({
    method: 'GET',
    path: '/api/users/totals',
    permission: 'users.read',
    reply: { data: directoryTotals },
  }),
  newestUsers: forAdmins<{ limit?: number }, { data: DirectoryRow[] }>({
    method: 'GET',
    path: '/api/users/newest',
    permission: 'users.read',
    input: newestRules,
    reply: { data: listOf(directoryRow) },
  }),
  getUser: forAdmins<{ id: string }, { data: UserView }>({
    method: 'GET',
    path: '/api/users/:id',
    permission: 'users.read',
    input: { id: uuid },
    reply: { data: userView },
  }),
  updateUser: forSessions<FormData, Message & { data: UserView }>({
    method: 'PUT',
    path: '/users/:id',
    permission: 'users.edit',
    body: 'form',
    input: { id: Joi.any() },
    reply: { message, data: userView },
  }),
  earnings: forAdmins<EarningsQuery, { data: EarningsView }>({
    method: 'GET',
    path: '/api/admin/earnings',
    permission: 'revenue.read',
    input: earningsRules,
    reply: { data: earningsView },
  }),
  audit: forAdmins<AuditSearch, { data: AuditView[]; next: string | null }>({
    method: 'GET',
    path: '/api/admin/audit',
    permission: 'audit.read',
    input: auditSearch,
    reply: { data: listOf(auditEntry), next: nextCursor },
  }),
  exportAudit: forAdmins<AuditFilters, string>({
    method: 'GET',
    path: '/api/admin/audit.csv',
    permission: 'audit.export',
    recent: true,
    input: auditFilters,
    reply: null,
  }),
  system: forAdmins<None, { data: SystemView }>({
    method: 'GET',
    path: '/api/admin/system',
    permission: 'system.read',
    reply: { data: systemView },
  }),
  resolveAlert: forAdmins<AlertChange, { data: AlertView }>({
    method: 'POST',
    path: '/api/admin/alerts/:alertId/resolve',
    permission: 'alerts.resolve',
    input: alertChange,
    reply: { data: alertView },
  }),
  reopenAlert: forAdmins<AlertChange, { data: AlertView }>({
    method: 'POST',
    path: '/api/admin/alerts/:alertId/reopen',
    permission: 'alerts.resolve',
    input: alertChange,
    reply: { data: alertView },
  }),
  config: forEverybody<None, PublicConfig>({
    method: 'GET',
    path: '/api/config',
    whileViewing: true,
    beforeSecondFactor: true,
    reply: configView,
  }),
  ...publicPlanEndpoints,
  ...publicStandingEndpoints,
  ...publicCreditsEndpoints,
  ...publicBucketEndpoints,
  ...publicPackEndpoints,
  ...publicSessionEndpoints,
  ...publicPrivacyEndpoints,
  ...publicTeamEndpoints,
  ...publicToolEndpoints,
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
