import { migrateAgain } from '@shortlist/kit/testing/databases';
import { expect, it } from 'vitest';
import { schema } from '../src/db.ts';

it('J3 each migration may run again, over what it made before', async () => {
  const { once, again, ran } = await migrateAgain(schema);
  expect(ran).toBe(schema.migrations.length);
  expect(again).toEqual(once);
});
