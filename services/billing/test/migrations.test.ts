import { compareEntities, createTestDb, migrateAgain } from '@shortlist/kit/testing/databases';
import { expect, it } from 'vitest';
import { schema } from '../src/db.ts';
import { sumsOfThreeHours } from '../src/migrations.ts';

it('J3 each migration may run again, over what it made before', async () => {
  const { once, again, ran } = await migrateAgain(schema);
  expect(ran).toBe(schema.migrations.length);
  expect(again).toEqual(once);
});

it('every table has an entity with all of its columns and their values', async () => {
  const { tables, entities } = await compareEntities(schema);
  expect(entities).toEqual(tables);
});

it('the sums of three hours are those of their quarter hours', async () => {
  const { db, drop } = await createTestDb(schema);
  const added = [
    ['00:00', 1],
    ['02:45', 2],
    ['03:00', 4],
    ['23:45', 8],
  ].map(([time, amount]) => ['quarter', 'usd', `2026-03-01 ${time}`, 'payment', amount, 1]);
  await db.query('INSERT INTO revenue_sums (unit, currency, starts_at, kind, amount, count) VALUES ?', [
    added,
  ]);
  const runner = db.createQueryRunner();
  for (let times = 0; times < 2; times += 1) await new sumsOfThreeHours().up(runner);
  await runner.release();
  const rows = await db.query<{ starts_at: Date; amount: string; count: number }[]>(
    "SELECT starts_at, amount, count FROM revenue_sums WHERE unit = 'three_hours' ORDER BY starts_at",
  );
  expect(rows.map(({ starts_at: at, amount, count }) => [at.toISOString(), Number(amount), count])).toEqual([
    ['2026-03-01T00:00:00.000Z', 3, 2],
    ['2026-03-01T03:00:00.000Z', 4, 1],
    ['2026-03-01T21:00:00.000Z', 8, 1],
  ]);
  await drop();
});
