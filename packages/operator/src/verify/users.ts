import type { Redis } from '@shortlist/kit/data/redis';
import { accountsAmong, idsAmong, readPages } from './pages.ts';
import { defineInvariant, withoutMatch } from './sources.ts';

type Owner = { id: string };
const idOf = ({ id }: Owner): string => id;

/** Whether bff accepts the generation of a session. */
const isAccepted = async (sessions: Redis, key: string): Promise<boolean> => {
  const least = await sessions.get(`generation:${/\{.*\}/.exec(key)?.[0]}`);
  const generation = await sessions.hget(key, 'generation');
  return Number(generation ?? -1) >= Number(least ?? 0);
};

/** V7 No deleted user has a valid session. */
export const sessionsHaveOwners = defineInvariant({
  id: 'V7',
  about: 'each session belongs to an account',
  needs: ['identity', 'sessions'],
  find: async ({ identity, sessions }) => {
    const found: string[] = [];
    for (let cursor = '0'; ;) {
      const [next, keys] = await sessions.scan(cursor, 'MATCH', 'session:*', 'COUNT', 500);
      for (const key of keys) {
        const userId = (await sessions.hget(key, 'user')) ?? '';
        const [account] = await identity.select('SELECT id FROM accounts WHERE id = ?', [userId]);
        if (!account && (await isAccepted(sessions, key)))
          found.push(`a session of ${userId}, who has no account, is valid`);
      }
      if (next === '0') return found;
      cursor = next;
    }
  },
});

/** V4 Each user account has a profile, and each profile has an account. */
export const accountsHaveProfiles = defineInvariant({
  id: 'V4',
  about: 'accounts and profiles belong together',
  needs: ['identity', 'profile'],
  find: async ({ identity, profile }) => {
    const found: string[] = [];
    const users = "SELECT id FROM accounts WHERE role = 'user' AND id > ? ORDER BY id LIMIT ?";
    for await (const page of readPages<Owner>(identity, { sql: users, keyOf: idOf })) {
      const ids = page.map(idOf);
      const owners = await idsAmong(profile, 'SELECT user_id AS id FROM profiles WHERE user_id IN (?)', ids);
      found.push(...withoutMatch(page, owners, idOf).map(({ id }) => `${id} has an account and no profile`));
    }
    const profiles = 'SELECT user_id AS id FROM profiles WHERE user_id > ? ORDER BY user_id LIMIT ?';
    for await (const page of readPages<Owner>(profile, { sql: profiles, keyOf: idOf })) {
      const accounts = await accountsAmong(identity, page.map(idOf));
      found.push(...withoutMatch(page, accounts, idOf).map(({ id }) => `${id} has a profile and no account`));
    }
    return found;
  },
});

const COPIED_COLUMNS = [
  'email',
  'first_name',
  'last_name',
  'organization_name',
  'country',
  'created_at',
  'premium_until',
  'payment_problem',
  'terms',
];

/** V6 The search terms of each profile have the profile's values, and deleted users have no terms. */
export const termsMatchProfiles = defineInvariant({
  id: 'V6',
  about: 'search terms match their profiles',
  needs: ['profile'],
  find: async ({ profile }) =>
    (
      await profile.select<{ userId: string; count: number }>(
        `SELECT t.user_id AS userId, COUNT(*) AS count FROM directory_terms t
         LEFT JOIN profiles p ON p.user_id = t.user_id
         WHERE p.user_id IS NULL OR NOT (${COPIED_COLUMNS.map((column) => `t.${column} <=> p.${column}`).join(' AND ')})
         GROUP BY t.user_id LIMIT 100`,
      )
    ).map(({ userId, count }) => `${count} terms of ${userId} differ from the profile`),
});
