// Step 1 of a search: each filter becomes a predicate. A predicate has two forms: the range of the index that lists its users, and
// the check of a single row; the query plan decides which form is used.
import type { DirectoryQuery } from '@shortlist/contracts/api/public';
import { parseSearch, prefixPattern } from '../terms/terms.rules.ts';
import type { Condition } from './cursor.rules.ts';

export type Filters = Pick<DirectoryQuery, 'search' | 'plan' | 'country' | 'joinedFrom' | 'joinedTo'>;

export type Predicate = {
  /** A table with its index, as `p`. Its rows have all columns by which the directory filters and sorts. */
  source: string;
  /** The range of `source` that contains the users to whom the predicate applies. */
  range: Condition;
  /** Whether `source` is directory_terms, where one user may have several rows in the range. */
  isTerm: boolean;
  check: Condition;
  /** The column of profiles that the predicate bounds. In the order of this column the predicate is a range. */
  column?: string;
};

const ALWAYS: Condition = { sql: 'TRUE', values: [] };

/** The predicate of a search without filters. */
export const ANY_USER: Predicate = { source: 'profiles p', range: ALWAYS, check: ALWAYS, isTerm: false };

const joinConditions = (conditions: readonly Condition[], separator: string): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(separator),
  values: conditions.flatMap(({ values }) => values),
});

export const whereAll = (conditions: readonly Condition[]): Condition => {
  const { sql, values } = joinConditions(conditions, ' AND ');
  return { sql: sql === '' ? '' : `WHERE ${sql}`, values };
};

export const unionAll = (selects: readonly Condition[]): Condition => joinConditions(selects, ' UNION ALL ');

const termPredicate = (term: string, check: Condition): Predicate => ({
  source: 'directory_terms p FORCE INDEX (PRIMARY)',
  range: { sql: 'p.term LIKE ?', values: [prefixPattern(term)] },
  isTerm: true,
  check,
});

const searchPredicates = (search: string): Predicate[] => {
  const parsed = parseSearch(search);
  if ('address' in parsed) {
    const check = { sql: 'p.email LIKE ?', values: [prefixPattern(parsed.address)] };
    return [termPredicate(`@${parsed.address}`, check)];
  }
  return parsed.terms.map((term) =>
    termPredicate(term, { sql: 'p.terms LIKE ?', values: [`% ${prefixPattern(term)}`] }),
  );
};

type ColumnCondition = readonly [sql: string, value: unknown];

const columnPredicate = (
  { index, column }: { index: string; column: string },
  conditions: readonly ColumnCondition[],
): Predicate => {
  const condition = {
    sql: conditions.map(([sql]) => sql).join(' AND '),
    values: conditions.map(([, value]) => value),
  };
  const source = `profiles p FORCE INDEX (${index})`;
  return { source, range: condition, isTerm: false, check: condition, column };
};

const countryPredicate = (country: string): Predicate =>
  columnPredicate({ index: 'profiles_country', column: 'country' }, [['p.country = ?', country]]);

const planPredicate = (plan: 'premium' | 'free', now: Date): Predicate =>
  columnPredicate({ index: 'profiles_premium', column: 'premium_until' }, [
    [plan === 'premium' ? 'p.premium_until > ?' : '(p.premium_until IS NULL OR p.premium_until <= ?)', now],
  ]);

const joinedPredicates = ({ joinedFrom, joinedTo }: Filters): Predicate[] => {
  const bounds: ColumnCondition[] = [];
  if (joinedFrom) bounds.push(['p.created_at >= ?', new Date(joinedFrom)]);
  if (joinedTo) bounds.push(['p.created_at < ?', new Date(joinedTo)]);
  if (bounds.length === 0) return [];
  return [columnPredicate({ index: 'profiles_created', column: 'created_at' }, bounds)];
};

export const predicatesOf = (filters: Filters, now: Date): Predicate[] => [
  ...(filters.country ? [countryPredicate(filters.country)] : []),
  ...joinedPredicates(filters),
  ...(filters.plan ? [planPredicate(filters.plan, now)] : []),
  ...(filters.search ? searchPredicates(filters.search) : []),
];
