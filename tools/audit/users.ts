import { type Breach, breachesOf, type Invariant, select } from './sources.ts';

/** V7 No deleted user has a valid session. */
export const sessionsHaveOwners: Invariant = async ({ db, sessions }) => {
  const breaches: Breach[] = [];
  for (let cursor = '0'; ;) {
    const [next, keys] = await sessions.scan(cursor, 'MATCH', 'session:*', 'COUNT', 500);
    for (const key of keys) {
      const userId = (await sessions.hget(key, 'user')) ?? '';
      const [account] = await select<{ id: string }>(db, 'SELECT id FROM identity.accounts WHERE id = ?', [
        userId,
      ]);
      const endedBefore = await sessions.get(`ended-before:${/\{.*\}/.exec(key)?.[0]}`);
      if (!account && endedBefore === null)
        breaches.push({ invariant: 'V7', detail: `a session of ${userId}, who has no account, is valid` });
    }
    if (next === '0') return breaches;
    cursor = next;
  }
};

/** V4 Each user account has a profile, and each profile has an account. */
export const accountsHaveProfiles: Invariant = async ({ db }) => [
  ...(await breachesOf<{ id: string }>(db, {
    invariant: 'V4',
    sql: `SELECT a.id FROM identity.accounts a LEFT JOIN profile.profiles p ON p.user_id = a.id WHERE a.role = 'user' AND p.user_id IS NULL`,
    describe: ({ id }) => `${id} has an account and no profile`,
  })),
  ...(await breachesOf<{ id: string }>(db, {
    invariant: 'V4',
    sql: 'SELECT p.user_id AS id FROM profile.profiles p LEFT JOIN identity.accounts a ON a.id = p.user_id WHERE a.id IS NULL',
    describe: ({ id }) => `${id} has a profile and no account`,
  })),
];

const COPIED_COLUMNS = [
  'email',
  'first_name',
  'last_name',
  'organization_name',
  'country',
  'created_at',
  'premium_until',
  'terms',
];

/** V6 The search terms of each profile have the profile's values, and deleted users have no terms. */
export const termsMatchProfiles: Invariant = ({ db }) =>
  breachesOf<{ userId: string; count: number }>(db, {
    invariant: 'V6',
    sql: `SELECT t.user_id AS userId, COUNT(*) AS count FROM profile.directory_terms t
      LEFT JOIN profile.profiles p ON p.user_id = t.user_id
      WHERE p.user_id IS NULL OR NOT (${COPIED_COLUMNS.map((column) => `t.${column} <=> p.${column}`).join(' AND ')})
      GROUP BY t.user_id LIMIT 100`,
    describe: ({ userId, count }) => `${count} terms of ${userId} differ from the profile`,
  });
