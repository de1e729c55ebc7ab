import type { DirectoryQuery } from '@shortlist/contracts/api/public';
import type { Condition } from './directory.rules.ts';
import { beginningWith, searchedTerms } from './terms.rules.ts';

export type Filters = Pick<DirectoryQuery, 'search' | 'plan' | 'country' | 'joinedFrom' | 'joinedTo'>;

/**
 * One thing that is asked of people: who meets it, read from an index alone, and how one person is checked, whose row is `p`
 * and whose id is written `@id`.
 */
export type Wish = {
  list: Condition;
  check: Condition;
  /** The same as `check` for one person after the other; the database may not gather the whole list for it. */
  probe: Condition;
  /** The column that it bounds: in that column's own order it says where to begin and end. */
  column?: string;
};

const TERM_OF = 'SELECT 1 FROM directory_terms t WHERE t.user_id = @id AND t.term LIKE ?';

const wordWish = (term: string): Wish => ({
  list: {
    sql: 'SELECT l.user_id FROM directory_terms l FORCE INDEX (directory_terms_term) WHERE l.term LIKE ?',
    values: [beginningWith(term)],
  },
  check: { sql: `EXISTS (${TERM_OF})`, values: [beginningWith(term)] },
  probe: { sql: `(${TERM_OF} LIMIT 1) IS NOT NULL`, values: [beginningWith(term)] },
});

const columnWish = (
  { index, column }: { index: string; column: string },
  conditions: readonly [sql: string, value: unknown][],
): Wish => {
  const values = conditions.map(([, value]) => value);
  const of = (row: string): string => conditions.map(([sql]) => sql.replaceAll('@', row)).join(' AND ');
  return {
    list: { sql: `SELECT l.user_id FROM profiles l FORCE INDEX (${index}) WHERE ${of('l')}`, values },
    check: { sql: of('p'), values },
    probe: { sql: of('p'), values },
    column,
  };
};

const planWish = (plan: 'premium' | 'free', now: Date): Wish =>
  columnWish({ index: 'profiles_premium', column: 'premium_until' }, [
    [plan === 'premium' ? '@.premium_until > ?' : '(@.premium_until IS NULL OR @.premium_until <= ?)', now],
  ]);

const joinedWish = ({ joinedFrom, joinedTo }: Filters): Wish[] => {
  const bounds: [string, unknown][] = [
    ...(joinedFrom ? [['@.created_at >= ?', new Date(joinedFrom)] as [string, unknown]] : []),
    ...(joinedTo ? [['@.created_at < ?', new Date(joinedTo)] as [string, unknown]] : []),
  ];
  return bounds.length === 0 ? [] : [columnWish({ index: 'profiles_created', column: 'created_at' }, bounds)];
};

export const wishesOf = (filters: Filters, now: Date): Wish[] => [
  ...(filters.country
    ? [columnWish({ index: 'profiles_country', column: 'country' }, [['@.country = ?', filters.country]])]
    : []),
  ...joinedWish(filters),
  ...(filters.plan ? [planWish(filters.plan, now)] : []),
  ...(filters.search ? searchedTerms(filters.search).map(wordWish) : []),
];
