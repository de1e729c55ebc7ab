// The user directory of admins: the list with search, export and totals, and why a user cannot log in or pay.
import Joi from 'joi';
import { lowerCase } from '../unicode.ts';
import {
  AUDIT_PAGE_MAX,
  DIRECTORY_PAGE_MAX,
  DIRECTORY_SEARCH_MAX,
  FILTER_NAME_MAX,
  NEWEST_ON_PAGE,
} from '../limits.ts';
import { COUNTRIES } from '../option-lists.ts';
import { PAYMENT_PROBLEMS, PLANS } from '../plan.ts';
import { type ListedFieldName, listedFields, mapFields } from '../profile-fields.ts';
import * as rule from '../schemas/validation.ts';
import { creditPack, subscriptionView } from './billing.ts';
import { addressesOf, forAdmins, operationsOf, toAdmins } from './operation.ts';
import { userView } from './profile.ts';
import { suppression } from './email.ts';

export const DIRECTORY_SORTS = ['createdAt', 'name', 'email', 'organizationName', 'country'] as const;
export type DirectorySort = (typeof DIRECTORY_SORTS)[number] | `-${(typeof DIRECTORY_SORTS)[number]}`;

/** The words of a text as searches compare them: in lower case, separated by anything other than letters and digits. */
export const searchWords = (searched: string): string[] =>
  lowerCase(searched.normalize('NFKC'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const optionalOneOf = <const Value extends string>(values: readonly Value[]) =>
  rule.mayLack(rule.oneOf(values).empty(''));

/** `payment`: only users with a payment problem. */
export const userFilters = {
  search: rule.optionalText(Joi.string().trim().max(DIRECTORY_SEARCH_MAX)),
  plan: optionalOneOf(PLANS),
  payment: optionalOneOf(['problem']),
  country: rule.optionalText(Joi.string().valid(...COUNTRIES)),
  joinedFrom: rule.optionalText(Joi.string().isoDate()),
  joinedTo: rule.optionalText(Joi.string().isoDate()),
};

/** The filters and the order of a list or an export. */
const filterRules = {
  ...userFilters,
  sort: optionalOneOf(DIRECTORY_SORTS.flatMap((sort) => [sort, `-${sort}`] as const)),
};

/**
 * What an admin saves of the filters: dates are days, as in the address of the page. Without the searched text, which may name a person, and
 * which nothing would remove when that person is deleted.
 */
const savedQuery = rule.view({
  plan: userFilters.plan,
  payment: userFilters.payment,
  country: userFilters.country,
  joinedFrom: rule.mayLack(rule.day),
  joinedTo: rule.mayLack(rule.day),
  sort: filterRules.sort,
});
export type SavedQuery = rule.TypeOf<typeof savedQuery>;
const savedFilter = {
  name: rule.line({ required: 'Please enter a name' }, { max: FILTER_NAME_MAX }),
  query: savedQuery,
};
const savedFilterView = rule.view({ id: rule.uuid, name: rule.text, query: savedQuery });

const limit = rule.wholeNumber.min(1).max(DIRECTORY_PAGE_MAX);

const directoryRules = {
  ...filterRules,
  limit: rule.mayLack(limit),
  cursor: rule.optionalText(Joi.string().max(1_000)),
};
export type DirectoryQuery = rule.TypeOf<typeof directoryRules>;

/** The whole list, or the users of a selection; its dates are days in this time zone. */
const directoryExportRules = {
  ...filterRules,
  ids: rule.mayLack(rule.idList(DIRECTORY_PAGE_MAX)),
  timeZone: rule.mayLack(rule.timeZoneSchema),
};

/** A row of the admin's user list. `plan` and `paymentProblem` are copies for display and filters; entitlements never depend on them. */
const directoryRow = rule.view({
  ...(mapFields(listedFields, () => rule.text) as Record<ListedFieldName, typeof rule.text>),
  id: rule.uuid,
  email: rule.text,
  picture: rule.nullable(rule.text),
  createdAt: rule.time,
  plan: rule.oneOf(PLANS),
  paymentProblem: rule.nullable(rule.oneOf(PAYMENT_PROBLEMS)),
});
export type DirectoryRow = rule.TypeOf<typeof directoryRow>;

/** The numbers of all users and of premium users. `countedAt`: when they were counted; a large directory is not counted for every request. */
const directoryTotals = rule.view({ registered: rule.count, premium: rule.count, countedAt: rule.time });
export type DirectoryTotals = rule.TypeOf<typeof directoryTotals>;

/** `total` is exact, unless `isCapped`: counting stops at DIRECTORY_COUNT_MAX. */
const directoryPage = {
  data: rule.listOf(directoryRow),
  total: rule.count,
  isCapped: rule.flag,
  next: rule.nextCursor,
};
export type DirectoryPage = rule.TypeOf<typeof directoryPage>;

const userName = rule.view({ id: rule.uuid, name: rule.text, email: rule.text });
export type UserName = rule.TypeOf<typeof userName>;

const byAdmin = operationsOf('profile', { roles: ['admin'] });

export const directoryEndpoints = {
  listDirectory: byAdmin('GET /directory', {
    input: directoryRules,
    reply: directoryPage,
    public: { listUsers: toAdmins('/users', { permission: 'users.read' }) },
  }),
  /** The existing and the deleted users among `ids`, which are separated by commas. */
  listNames: byAdmin('GET /directory/names', {
    input: { ids: rule.idList(AUDIT_PAGE_MAX) },
    reply: { data: rule.listOf(userName), deleted: rule.listOf(rule.uuid) },
  }),
  exportDirectory: byAdmin('GET /directory.csv', {
    input: directoryExportRules,
    reply: 'text',
    public: { exportUsers: toAdmins('/api/users.csv', { permission: 'users.export', recent: true }) },
  }),
  countDirectory: byAdmin('GET /directory/totals', {
    reply: { data: directoryTotals },
    public: { userTotals: toAdmins('/api/users/totals', { permission: 'users.read' }) },
  }),
  listNewest: byAdmin('GET /directory/newest', {
    input: { limit: rule.mayLack(limit.max(NEWEST_ON_PAGE)) },
    reply: { data: rule.listOf(directoryRow) },
    public: { newestUsers: toAdmins('/api/users/newest', { permission: 'users.read' }) },
  }),
  /** Those of the caller, by name. */
  listFilters: byAdmin('GET /saved-filters', {
    reply: { data: rule.listOf(savedFilterView) },
    public: { savedFilters: toAdmins('/api/admin/filters', { permission: 'users.read' }) },
  }),
  /** The client chooses the id. Replaces the caller's filter of this id. Throws `profile.filters_full`. */
  saveFilter: byAdmin('PUT /saved-filters/:filterId', {
    input: savedFilter,
    public: { saveFilter: toAdmins('/api/admin/filters/:filterId', { permission: 'users.read' }) },
  }),
  /** Throws `profile.filter_not_found` also for a filter of another admin. */
  removeFilter: byAdmin('DELETE /saved-filters/:filterId', {
    public: { removeFilter: toAdmins('/api/admin/filters/:filterId', { permission: 'users.read' }) },
  }),
} as const;

/** Why a user cannot log in or pay. `blocksCheckout`: the email is not confirmed. `lockedUntil`: unknown devices must wait until then. */
const access = rule.view({
  isVerified: rule.flag,
  confirmBy: rule.nullable(rule.time),
  blocksCheckout: rule.flag,
  lockedUntil: rule.nullable(rule.time),
  /** Null if emails can be sent, and if worker does not respond. */
  suppression: rule.nullable(suppression),
});
const plan = rule.view({ subscription: subscriptionView, packs: rule.listOf(creditPack) });
/** Each part is null while its service does not respond: identity for `access`, billing for `plan`. */
const accountStatus = rule.view({ access: rule.nullable(access), plan: rule.nullable(plan) });
export type AccountStatus = rule.TypeOf<typeof accountStatus>;

/** `available`: null while credits does not respond. `lastSeenAt`: the latest use of a session or log-in of the last 90 days; null without one. */
const userActivity = rule.view({
  userId: rule.uuid,
  available: rule.nullable(rule.count),
  lastSeenAt: rule.nullable(rule.time),
});
export type UserActivity = rule.TypeOf<typeof userActivity>;

export const publicDirectoryEndpoints = {
  ...addressesOf(directoryEndpoints),
  getUser: forAdmins('GET /api/users/:id', { permission: 'users.read', reply: { data: userView } }),
  /** Of the users of a page, what the directory does not know. */
  userActivity: forAdmins('GET /api/users/activity', {
    permission: 'users.read',
    input: { ids: rule.idList(DIRECTORY_PAGE_MAX) },
    reply: { data: rule.listOf(userActivity) },
  }),
  accountStatus: forAdmins('GET /api/users/:id/status', {
    permission: 'users.read',
    reply: { data: accountStatus },
  }),
} as const;
