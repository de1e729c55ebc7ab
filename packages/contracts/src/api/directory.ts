// The users as admins find them: the list with its search, its export and its numbers, and why one of them cannot log in or pay.
import Joi from 'joi';
import { lowerCase } from '../unicode.ts';
import { AUDIT_PAGE_MAX, DIRECTORY_PAGE_MAX, DIRECTORY_SEARCH_MAX, NEWEST_ON_PAGE } from '../limits.ts';
import { COUNTRIES } from '../option-lists.ts';
import { PAYMENT_PROBLEMS, PLANS } from '../plan.ts';
import { type ListedFieldName, listedFields, mapFields } from '../profile-fields.ts';
import {
  count,
  flag,
  idList,
  listOf,
  mayLack,
  nextCursor,
  nullable,
  oneOf,
  optionalText,
  text,
  time,
  timeZoneSchema,
  type TypeOf,
  uuid,
  view,
  wholeNumber,
} from '../schemas/validation.ts';
import { creditPack, subscriptionView } from './billing.ts';
import { addressesOf, forAdmins, operationsOf, toAdmins } from './operation.ts';
import { userView } from './profile.ts';
import { suppression } from './email.ts';

export const DIRECTORY_SORTS = ['createdAt', 'name', 'email', 'organizationName', 'country'] as const;
export type DirectorySort = (typeof DIRECTORY_SORTS)[number] | `-${(typeof DIRECTORY_SORTS)[number]}`;

/** The words of a text as searches compare them: in lower case, separated by all that is no letter and no digit. */
export const searchWords = (searched: string): string[] =>
  lowerCase(searched.normalize('NFKC'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const optionalOneOf = <const Value extends string>(values: readonly Value[]) =>
  mayLack(oneOf(values).empty(''));

/** The users that a list or an export contains, and their order. `payment`: those with a payment in trouble. */
const filterRules = {
  search: optionalText(Joi.string().trim().max(DIRECTORY_SEARCH_MAX)),
  plan: optionalOneOf(PLANS),
  payment: optionalOneOf(['problem']),
  country: optionalText(Joi.string().valid(...COUNTRIES)),
  joinedFrom: optionalText(Joi.string().isoDate()),
  joinedTo: optionalText(Joi.string().isoDate()),
  sort: optionalOneOf(DIRECTORY_SORTS.flatMap((sort) => [sort, `-${sort}`] as const)),
};

const limit = wholeNumber.min(1).max(DIRECTORY_PAGE_MAX);

const directoryRules = {
  ...filterRules,
  limit: mayLack(limit),
  cursor: optionalText(Joi.string().max(1_000)),
};
export type DirectoryQuery = TypeOf<typeof directoryRules>;

/** The whole list; its dates are days in this time zone. */
const directoryExportRules = { ...filterRules, timeZone: mayLack(timeZoneSchema) };

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

/** `total` is exact, unless `isCapped`: counting stops at DIRECTORY_COUNT_MAX. */
const directoryPage = { data: listOf(directoryRow), total: count, isCapped: flag, next: nextCursor };
export type DirectoryPage = TypeOf<typeof directoryPage>;

const userName = view({ id: uuid, name: text, email: text });
export type UserName = TypeOf<typeof userName>;

const byAdmin = operationsOf('profile', { roles: ['admin'] });

export const directoryEndpoints = {
  listDirectory: byAdmin('GET /directory', {
    input: directoryRules,
    reply: directoryPage,
    public: { listUsers: toAdmins('/users', { permission: 'users.read' }) },
  }),
  /** The users among `ids`, which are separated by commas, and those of them who were deleted. */
  listNames: byAdmin('GET /directory/names', {
    input: { ids: idList(AUDIT_PAGE_MAX) },
    reply: { data: listOf(userName), deleted: listOf(uuid) },
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
    input: { limit: mayLack(limit.max(NEWEST_ON_PAGE)) },
    reply: { data: listOf(directoryRow) },
    public: { newestUsers: toAdmins('/api/users/newest', { permission: 'users.read' }) },
  }),
} as const;

/** Why a user cannot log in or pay. `blocksCheckout`: for want of a confirmed address. `lockedUntil`: unknown devices have to wait. */
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

export const publicDirectoryEndpoints = {
  ...addressesOf(directoryEndpoints),
  getUser: forAdmins('GET /api/users/:id', { permission: 'users.read', reply: { data: userView } }),
  userStanding: forAdmins('GET /api/users/:id/standing', {
    permission: 'users.read',
    reply: { data: userStanding },
  }),
} as const;
