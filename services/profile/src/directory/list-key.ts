import { hash } from 'node:crypto';
import type { DirectoryQuery } from '@shortlist/contracts/api/public';
import { NEWEST_FIRST } from './cursor.rules.ts';

/** What makes a list: its order, with its direction, and its filters. Pages of any length are pages of the same list. */
type ListQuery = Omit<DirectoryQuery, 'cursor' | 'limit'>;

const LENGTH = 12;

/** A short hash of the order, its direction and the filters, which binds a cursor to its list. */
export const listKeyOf = ({ sort = NEWEST_FIRST, ...filters }: ListQuery): string => {
  const { search = '', plan = '', country = '', joinedFrom = '', joinedTo = '' } = filters;
  const list = JSON.stringify([sort, search, plan, country, joinedFrom, joinedTo]);
  return hash('sha256', list, 'base64url').slice(0, LENGTH);
};
