import type { DirectoryQuery } from '@shortlist/contracts/api/public';
import type { Condition } from './directory.rules.ts';
import { beginningWith, searchedFor } from './terms.rules.ts';

export type Filters = Pick<DirectoryQuery, 'search' | 'plan' | 'country' | 'joinedFrom' | 'joinedTo'>;

/** One thing that is asked of people: where those who meet it are read from, and how one person is checked, whose row is `p`. */
export type Wish = {
  /** Rows named `p` that carry all that a list is narrowed and ordered by, in an index that `list` bounds. */
  from: string;
  list: Condition;
  /** Of a word; the same person may have several that begin alike. */
  isWord: boolean;
  check: Condition;
  /** The column that it bounds: in that column's own order it says where to begin and end. */
  column?: string;
};

const termWish = (term: string, check: Condition): Wish => ({
  from: 'directory_terms p FORCE INDEX (PRIMARY)',
  list: { sql: 'p.term LIKE ?', values: [beginningWith(term)] },
  isWord: true,
  check,
});

const wordWish = (word: string): Wish =>
  termWish(word, { sql: 'p.words LIKE ?', values: [`% ${beginningWith(word)}`] });

const addressWish = (address: string): Wish =>
  termWish(`@${address}`, { sql: 'p.email LIKE ?', values: [beginningWith(address)] });

const searchWishes = (search: string): Wish[] => {
  const sought = searchedFor(search);
  return 'address' in sought ? [addressWish(sought.address)] : sought.words.map(wordWish);
};

const columnWish = (
  { index, column }: { index: string; column: string },
  conditions: readonly [sql: string, value: unknown][],
): Wish => {
  const sql = conditions.map(([one]) => one).join(' AND ');
  const condition = { sql, values: conditions.map(([, value]) => value) };
  const from = `profiles p FORCE INDEX (${index})`;
  return { from, list: condition, isWord: false, check: condition, column };
};

const planWish = (plan: 'premium' | 'free', now: Date): Wish =>
  columnWish({ index: 'profiles_premium', column: 'premium_until' }, [
    [plan === 'premium' ? 'p.premium_until > ?' : '(p.premium_until IS NULL OR p.premium_until <= ?)', now],
  ]);

const joinedWish = ({ joinedFrom, joinedTo }: Filters): Wish[] => {
  const bounds: [string, unknown][] = [
    ...(joinedFrom ? [['p.created_at >= ?', new Date(joinedFrom)] as [string, unknown]] : []),
    ...(joinedTo ? [['p.created_at < ?', new Date(joinedTo)] as [string, unknown]] : []),
  ];
  return bounds.length === 0 ? [] : [columnWish({ index: 'profiles_created', column: 'created_at' }, bounds)];
};

export const wishesOf = (filters: Filters, now: Date): Wish[] => [
  ...(filters.country
    ? [columnWish({ index: 'profiles_country', column: 'country' }, [['p.country = ?', filters.country]])]
    : []),
  ...joinedWish(filters),
  ...(filters.plan ? [planWish(filters.plan, now)] : []),
  ...(filters.search ? searchWishes(filters.search) : []),
];
