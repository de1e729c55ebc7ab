import Joi from 'joi';
import { DIRECTORY_PAGE_MAX, DIRECTORY_SEARCH_MAX, NEWEST_ON_PAGE } from '../limits.ts';
import { COUNTRIES } from '../option-lists.ts';
import { PAYMENT_PROBLEMS, type PaymentProblemKind, type Plan, PLANS } from '../plan.ts';
import { type ListedFieldName, listedFields, mapFields } from '../profile-fields.ts';
import {
  count,
  nullableText,
  oneOf,
  text,
  time,
  timeZoneSchema,
  uuid,
  view,
  wholeNumber,
} from '../schemas/parts.ts';

export const DIRECTORY_SORTS = ['createdAt', 'name', 'email', 'organizationName', 'country'] as const;
export type DirectorySort = (typeof DIRECTORY_SORTS)[number] | `-${(typeof DIRECTORY_SORTS)[number]}`;

/** The words of a text as searches compare them: in lower case, separated by all that is no letter and no digit. */
export const searchWords = (searched: string): string[] =>
  searched
    .normalize('NFKC')
    .toLowerCase()
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

export const directoryRules: Joi.StrictSchemaMap<DirectoryQuery> = {
  ...filterRules,
  limit,
  cursor: Joi.string().max(1_000).empty(''),
};

export const directoryExportRules: Joi.StrictSchemaMap<DirectoryExport> = {
  ...filterRules,
  timeZone: timeZoneSchema,
};

export const newestRules: Joi.StrictSchemaMap<{ limit?: number }> = { limit: limit.max(NEWEST_ON_PAGE) };

/** A row of the admin's user list. `plan` and `paymentProblem` are copies for display and filters; entitlements never depend on them. */
export type DirectoryRow = Record<ListedFieldName, string> & {
  id: string;
  email: string;
  picture: string | null;
  createdAt: string;
  plan: Plan;
  paymentProblem: PaymentProblemKind | null;
};

/** `total` is exact, unless `isCapped`: counting stops at DIRECTORY_COUNT_MAX. */
export type DirectoryPage = { data: DirectoryRow[]; total: number; isCapped: boolean; next: string | null };

/** The numbers of all users and of the premium ones. `countedAt`: a large directory is not counted for every request. */
export type DirectoryTotals = { registered: number; premium: number; countedAt: string };

export const directoryRow = view<DirectoryRow>({
  ...(mapFields(listedFields, () => text) as Record<ListedFieldName, Joi.Schema>),
  id: uuid,
  email: text,
  picture: nullableText,
  createdAt: time,
  plan: oneOf(PLANS),
  paymentProblem: oneOf(PAYMENT_PROBLEMS).allow(null),
});

export const directoryTotals = view<DirectoryTotals>({ registered: count, premium: count, countedAt: time });
