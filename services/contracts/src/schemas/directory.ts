import Joi from 'joi';
import { DIRECTORY_SORTS, type DirectoryExport, type DirectoryQuery } from '../directory.ts';
import { DIRECTORY_PAGE_MAX, DIRECTORY_SEARCH_MAX, NEWEST_ON_PAGE } from '../limits.ts';
import { COUNTRIES } from '../option-lists.ts';
import { PLANS } from '../plan.ts';
import { timeZoneSchema, wholeNumber } from './text.ts';

const oneOf = <Value extends string>(values: readonly Value[]): Joi.StringSchema<Value> =>
  Joi.string<Value>()
    .valid(...values)
    .empty('');

const filterRules = {
  search: Joi.string().trim().max(DIRECTORY_SEARCH_MAX).empty(''),
  plan: oneOf(PLANS),
  country: oneOf(COUNTRIES),
  joinedFrom: Joi.string().isoDate().empty(''),
  joinedTo: Joi.string().isoDate().empty(''),
  sort: oneOf(DIRECTORY_SORTS.flatMap((sort) => [sort, `-${sort}`] as const)),
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
