import { compareEntities, migrateAgain } from '@shortlist/kit/testing/databases';
import { expect, it } from 'vitest';
import { schema } from '../src/db.ts';

it('J3 each migration can run again over its own result', async () => {
  const { once, again, ran } = await migrateAgain(schema);
  expect(ran).toBe(schema.migrations.length);
  expect(again).toEqual(once);
});

it('every table has an entity with all of its columns and their values', async () => {
  const { tables, entities } = await compareEntities(schema);
  expect(entities).toEqual(tables);
});
