// The users as admins find them: the list with its search, its export and its numbers, and why one of them cannot log in or pay.
import Joi from 'joi';
import { lowerCase } from '../letters.ts';
import { AUDIT_PAGE_MAX, DIRECTORY_PAGE_MAX, DIRECTORY_SEARCH_MAX, NEWEST_ON_PAGE } from '../limits.ts';
import { COUNTRIES } from '../option-lists.ts';
import { PAYMENT_PROBLEMS, type Plan, PLANS } from '../plan.ts';
import { type ListedFieldName, listedFields, mapFields } from '../profile-fields.ts';
import {
  count,
  flag,
  listOf,
  nextCursor,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { idList, timeZoneSchema, wholeNumber } from '../schemas/validation.ts';
import { subscriptionView } from './billing.ts';
import { creditPack } from './credit-buckets.ts';
import { userView, type UserView } from './profile.ts';
import { forAdmins } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';
import { suppression } from './suppressions.ts';

export const DIRECTORY_SORTS = ['createdAt', 'name', 'email', 'organizationName', 'country'] as const;
export type DirectorySort = (typeof DIRECTORY_SORTS)[number] | `-${(typeof DIRECTORY_SORTS)[number]}`;

/** The words of a text as searches compare them: in lower case, separated by all that is no letter and no digit. */
export const searchWords = (searched: string): string[] =>
  lowerCase(searched.normalize('NFKC'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The users that a list or an export contains, and their order. `payment`: those with a payment in trouble. */
export type DirectoryFilters = {
  search?: string;
  plan?: Plan;
  payment?: 'problem';
  country?: string;
  joinedFrom?: string;
  joinedTo?: string;
  sort?: DirectorySort;
};

export type DirectoryQuery = DirectoryFilters & { limit?: number; cursor?: string };

/** The whole list; its dates are days in this time zone. */
export type DirectoryExport = DirectoryFilters & { timeZone?: string };

const optionalOneOf = <Value extends string>(values: readonly Value[]): Joi.StringSchema<Value> =>
  Joi.string<Value>()
    .valid(...values)
    .empty('');

const filterRules = {
  search: Joi.string().trim().max(DIRECTORY_SEARCH_MAX).empty(''),
  plan: optionalOneOf(PLANS),
  payment: optionalOneOf(['problem']),
  country: optionalOneOf(COUNTRIES),
  joinedFrom: Joi.string().isoDate().empty(''),
  joinedTo: Joi.string().isoDate().empty(''),
  sort: optionalOneOf(DIRECTORY_SORTS.flatMap((sort) => [sort, `-${sort}`] as const)),
};

const limit = wholeNumber.min(1).max(DIRECTORY_PAGE_MAX);

const directoryRules: Joi.StrictSchemaMap<DirectoryQuery> = {
  ...filterRules,
  limit,
  cursor: Joi.string().max(1_000).empty(''),
};

const directoryExportRules: Joi.StrictSchemaMap<DirectoryExport> = {
  ...filterRules,
  timeZone: timeZoneSchema,
};

const newestRules: Joi.StrictSchemaMap<{ limit?: number }> = { limit: limit.max(NEWEST_ON_PAGE) };

/** `total` is exact, unless `isCapped`: counting stops at DIRECTORY_COUNT_MAX. */
export type DirectoryPage = { data: DirectoryRow[]; total: number; isCapped: boolean; next: string | null };

/** A row of the admin's user list. `plan` and `paymentProblem` are copies for display and filters; entitlements never depend on them. */
const directoryRow = view({
  ...(mapFields(listedFields, () => text) as Record<ListedFieldName, typeof text>),
  id: uuid,
  email: text,
  picture: nullable(text),
  createdAt: time,
  plan: oneOf(PLANS),
  paymentProblem: nullable(oneOf(PAYMENT_PROBLEMS)),
});
export type DirectoryRow = TypeOf<typeof directoryRow>;

/** The numbers of all users and of the premium ones. `countedAt`: a large directory is not counted for every request. */
const directoryTotals = view({ registered: count, premium: count, countedAt: time });
export type DirectoryTotals = TypeOf<typeof directoryTotals>;

export type UserName = { id: string; name: string; email: string };

/** profile's endpoints about all users. */
export const directoryEndpoints = {
  listDirectory: serviceEndpoint<DirectoryQuery, DirectoryPage>({
    method: 'GET',
    path: '/directory',
    roles: ['admin'],
    input: directoryRules,
  }),
  /** The users among `ids`, which are separated by commas, and those of them who were deleted. */
  listNames: serviceEndpoint<{ ids: string }, { data: UserName[]; deleted: string[] }>({
    method: 'GET',
    path: '/directory/names',
    roles: ['admin'],
    input: { ids: idList(AUDIT_PAGE_MAX).required() },
  }),
  exportDirectory: serviceEndpoint<DirectoryExport, string>({
    method: 'GET',
    path: '/directory.csv',
    roles: ['admin'],
    input: directoryExportRules,
  }),
  countDirectory: serviceEndpoint<None, { data: DirectoryTotals }>({
    method: 'GET',
    path: '/directory/totals',
    roles: ['admin'],
  }),
  listNewest: serviceEndpoint<{ limit?: number }, { data: DirectoryRow[] }>({
    method: 'GET',
    path: '/directory/newest',
    roles: ['admin'],
    input: newestRules,
  }),
} as const;

/**
 * What support needs to see why a user cannot log in or pay. `blocksCheckout`: the address is not confirmed, and a checkout requires it.
 * `lockedUntil`: until then unknown devices have to wait after wrong passwords.
 */
const userStanding = view({
  subscription: subscriptionView,
  packs: listOf(creditPack),
  isVerified: flag,
  confirmBy: nullable(time),
  blocksCheckout: flag,
  lockedUntil: nullable(time),
  /** Null while mails arrive, and while worker does not respond. */
  suppression: nullable(suppression),
});
export type UserStanding = TypeOf<typeof userStanding>;

/** What admins see of users. */
export const publicDirectoryEndpoints = {
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
  userStanding: forAdmins<{ id: string }, { data: UserStanding }>({
    method: 'GET',
    path: '/api/users/:id/standing',
    permission: 'users.read',
    input: { id: uuid },
    reply: { data: userStanding },
  }),
} as const;
