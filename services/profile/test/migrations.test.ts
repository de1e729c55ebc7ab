import { connect, createDb, type Db } from '@shortlist/kit/db';
import { createLog } from '@shortlist/kit/log';
import { migrateAgain } from '@shortlist/kit/testing/migrate-again';
import { createTestDb } from '@shortlist/kit/testing/test-db';
import { afterAll, expect, it } from 'vitest';
import { schema } from '../src/db.ts';
import { sortingOf } from '../src/directory/directory.rules.ts';
import { listDirectory } from '../src/directory/queries.ts';
import { prepareSearch } from '../src/directory/search.ts';
import { deleteTerms } from '../src/directory/terms.ts';
import { widenDirectoryTerms } from '../src/migrations/0005-widen-directory-terms.ts';

const NOW = new Date('2026-06-01T00:00:00.000Z');
const ID = '0198a0b0-0000-7000-8000-000000000001';
const before = schema.migrations.filter((one) => one !== widenDirectoryTerms);
const { db: old, url, drop } = await createTestDb({ ...schema, migrations: before });
let db: Db;
afterAll(async () => {
  await db.destroy();
  await drop();
});

const found = async (filters: { search: string; plan?: 'premium' | 'free' }): Promise<string[]> => {
  const search = await prepareSearch(db.manager, filters, NOW);
  const page = { search, sorting: sortingOf('email'), cursor: null, limit: 20 };
  return (await listDirectory(db.manager, page)).map(({ id }) => id);
};

it('J3 people whose words lay in the old table are found, narrowed and forgotten after the change, also when it runs twice', async () => {
  await old.query(
    `INSERT INTO profiles (user_id, email, first_name, last_name, organization_name, type_of_organization,
       primary_recruiting_industry, country, city, linkedin, created_at, premium_until)
     VALUES (?, 'zoe@north.test', 'Zoë', 'Byrne', 'Harbour Labs', 'Agency', 'IT', 'Norway', 'Oslo', '', ?, '2999-01-01')`,
    [ID, NOW],
  );
  const terms = ['@zoe@north.test', 'zoë', 'byrne', 'harbour', 'labs', 'north', 'test'];
  await old.query('INSERT INTO directory_terms (user_id, term) VALUES ?', [terms.map((term) => [ID, term])]);
  await old.destroy();
  for (const run of ['once', 'again']) {
    db = createDb({ url, ...schema });
    await connect(db, createLog('test', 'silent'));
    expect(await found({ search: 'labs' })).toEqual([ID]);
    expect(await found({ search: 'zoe har', plan: 'premium' })).toEqual([ID]);
    expect(await found({ search: 'zoe@n' })).toEqual([ID]);
    expect(await found({ search: 'labs', plan: 'free' })).toEqual([]);
    await db.query("DELETE FROM migrations WHERE name LIKE 'WidenDirectoryTerms%'");
    if (run === 'once') await db.destroy();
  }
  await deleteTerms(db.manager, ID);
  expect(await db.query('SELECT term FROM directory_terms')).toEqual([]);
});

it('J3 each migration may run again, over what it made before', async () => {
  const { once, again, ran } = await migrateAgain(schema);
  expect(ran).toBe(schema.migrations.length);
  expect(again).toEqual(once);
});
