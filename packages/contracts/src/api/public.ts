import * as rule from '../schemas/validation.ts';
import { publicAuditEndpoints } from './audit.ts';
import { checkedUser, publicAuthenticationEndpoints } from './authentication.ts';
import { price, publicBillingEndpoints } from './billing.ts';
import { publicBulkEndpoints } from './bulk.ts';
import { publicConnectedAppEndpoints } from './connected-apps.ts';
import { publicCreditsEndpoints } from './credits.ts';
import { publicDirectoryEndpoints } from './directory.ts';
import { publicEmailEndpoints } from './email.ts';
import { publicFactorEndpoints } from './factors.ts';
import { publicIdentityEndpoints } from './identity.ts';
import { publicNoteEndpoints } from './notes.ts';
import { publicNoticeEndpoints } from './notices.ts';
import { forAdmins, forEverybody, forSessions, forUsers } from './operation.ts';
import { publicPaymentEndpoints } from './payments.ts';
import { publicPrivacyEndpoints } from './privacy.ts';
import { publicProfileEndpoints, userView } from './profile.ts';
import { publicRevenueEndpoints } from './revenue.ts';
import { publicSessionEndpoints } from './sessions.ts';
import { publicSystemEndpoints } from './system.ts';
import { adminRole, publicTeamEndpoints } from './team.ts';
import { publicTimelineEndpoints } from './timeline.ts';
import { publicWebhookEndpoints } from './webhooks.ts';

/** The configuration of this installation that the browser needs. */
const configView = rule.view({
  brand: rule.text,
  /** The consent that a sign-up requires, or null. `text` replaces the default; it marks links with <terms> and <privacy>. */
  consent: rule.nullable(rule.view({ version: rule.text, text: rule.nullable(rule.text) })),
  /** The price of the current offer, as Stripe charges it. */
  price,
  /** The same for a year; null while none is sold. */
  yearlyPrice: rule.mayLack(rule.nullable(price)),
  /** The minimum length of a new password, in characters. */
  passwordMin: rule.count,
  links: rule.view({
    automationBot: rule.text,
    crm: rule.text,
    about: rule.text,
    support: rule.text,
    privacy: rule.text,
    terms: rule.text,
    provider: rule.text,
  }),
});
export type PublicConfig = rule.TypeOf<typeof configView>;

/** The areas of data that screens show. A live update names the stale areas, and the page revalidates what it shows of them. */
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
  'notices',
] as const;

export type Area = (typeof AREAS)[number];

/** For admins: the users whose data changed, by area; null if there are more than a page can show. */
export type ChangedUsers = Partial<Record<Area, readonly string[] | null>>;

/** One message of the stream: the stale areas of a user's own data, or for an admin the users whose data changed. */
export type LiveUpdate = { stale: readonly Area[] } | { changed: ChangedUsers };

/** The endpoints of the backend-for-frontend. Those without /api in their path are also served under /api. */
export const publicEndpoints = {
  ...publicIdentityEndpoints,
  ...publicAuditEndpoints,
  ...publicAuthenticationEndpoints,
  ...publicBillingEndpoints,
  ...publicBulkEndpoints,
  ...publicConnectedAppEndpoints,
  ...publicCreditsEndpoints,
  ...publicDirectoryEndpoints,
  ...publicEmailEndpoints,
  ...publicFactorEndpoints,
  ...publicNoteEndpoints,
  ...publicNoticeEndpoints,
  ...publicPaymentEndpoints,
  ...publicPrivacyEndpoints,
  ...publicProfileEndpoints,
  ...publicRevenueEndpoints,
  ...publicSessionEndpoints,
  ...publicSystemEndpoints,
  ...publicTeamEndpoints,
  ...publicTimelineEndpoints,
  ...publicWebhookEndpoints,
  checkUser: forUsers('GET /authentication_check', {
    whileViewing: true,
    duringDeletion: true,
    reply: checkedUser,
  }),
  checkAdmin: forAdmins('GET /check_authentication', {
    permission: 'own_account',
    beforeSecondFactor: true,
    reply: { remainingTime: rule.count, role: adminRole, needsSecondFactor: rule.mayLack(rule.flag) },
  }),
  updateUser: forSessions('PUT /users/:id', {
    permission: 'users.edit',
    body: 'form',
    input: { id: rule.text },
    reply: { message: rule.message, data: userView },
  }),
  config: forEverybody('GET /api/config', {
    whileViewing: true,
    beforeSecondFactor: true,
    reply: configView,
  }),
} as const;

/** Paths whose requests are not JSON. */
export const publicPaths = {
  stripeWebhook: '/api/webhooks/stripe',
  sendgridWebhook: '/api/webhooks/sendgrid',
  pictures: '/profile_pictures/',
  live: '/api/live',
} as const;

/** The cross-site request forgery token: the cookie that carries it and the header that repeats it. */
export const XSRF_COOKIE = 'XSRF-TOKEN';
export const XSRF_HEADER = 'x-xsrf-token';
