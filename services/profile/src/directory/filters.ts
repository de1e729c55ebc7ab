import type { DirectoryQuery } from '@shortlist/contracts/api/public';
import type { Tx } from '@shortlist/kit/db';
import type { Condition } from './directory.rules.ts';
import { beginningWith, searchedTerms } from './terms.rules.ts';

export type Filters = Pick<DirectoryQuery, 'search' | 'plan' | 'country' | 'joinedFrom' | 'joinedTo'>;

const planCondition = (plan: Filters['plan'], now: Date): Condition[] => {
  if (plan === undefined) return [];
  if (plan === 'premium') return [{ sql: 'p.premium_until > ?', values: [now] }];
  return [{ sql: '(p.premium_until IS NULL OR p.premium_until <= ?)', values: [now] }];
};

const hasTerm = (term: string): Condition => ({
  sql: 'EXISTS (SELECT 1 FROM directory_terms t WHERE t.user_id = p.user_id AND t.term LIKE ?)',
  values: [beginningWith(term)],
});

/** What a row must satisfy, each by itself cheap to check on a row that is at hand. */
export const conditionsOf = (filters: Filters, now: Date): Condition[] => [
  ...(filters.country ? [{ sql: 'p.country = ?', values: [filters.country] }] : []),
  ...(filters.joinedFrom ? [{ sql: 'p.created_at >= ?', values: [new Date(filters.joinedFrom)] }] : []),
  ...(filters.joinedTo ? [{ sql: 'p.created_at < ?', values: [new Date(filters.joinedTo)] }] : []),
  ...planCondition(filters.plan, now),
  ...(filters.search ? searchedTerms(filters.search).map(hasTerm) : []),
];

/** Up to here a filter is rare: its people are fetched one by one and sorted. Beyond it they are met soon enough on the way. */
const RARE = 3_000;

const probes = (filters: Filters, now: Date): Condition[] => [
  ...(filters.search
    ? searchedTerms(filters.search).map((term) => ({
        sql: 'SELECT DISTINCT user_id FROM directory_terms WHERE term LIKE ? LIMIT ?',
        values: [beginningWith(term), RARE + 1],
      }))
    : []),
  ...(filters.plan === 'premium'
    ? [{ sql: 'SELECT user_id FROM profiles WHERE premium_until > ? LIMIT ?', values: [now, RARE + 1] }]
    : []),
  ...(filters.country
    ? [{ sql: 'SELECT user_id FROM profiles WHERE country = ? LIMIT ?', values: [filters.country, RARE + 1] }]
    : []),
];

/**
 * The few people that a rare filter leaves, or null when every filter is common. Walking the sorted index for a rare word
 * would read a million rows to fill one page; fetching everybody who has a common one would be as bad.
 */
export const narrow = async (tx: Tx, filters: Filters, now: Date): Promise<string[] | null> => {
  for (const { sql, values } of probes(filters, now)) {
    const rows: { user_id: string }[] = await tx.query(sql, values);
    if (rows.length <= RARE) return rows.map((row) => row.user_id);
  }
  return null;
};
