import { afterAll, expect, it } from 'vitest';
import * as column from '../src/data/columns.ts';
import { defineEntity } from '../src/data/entity.ts';
import { insertRows } from '../src/data/insert.ts';
import { migration } from '../src/data/migration.ts';
import { createTestDb } from '../src/testing/databases.ts';

const tripEntity = defineEntity('trip', 'trips', {
  id: { ...column.int, primary: true },
  extras: column.listOf(['window', 'meal', 'sleeper'], 40),
  discount: column.nullable(column.decimal(5, 2)),
  meters: column.nullable(column.bigint),
});
const trips = migration('CreateTrips1700000000000', [
  `CREATE TABLE trips (id INT PRIMARY KEY, extras VARCHAR(40) NOT NULL, discount DECIMAL(5, 2) NULL,
    meters BIGINT UNSIGNED NULL) ENGINE=InnoDB`,
]);
const { db, drop } = await createTestDb({ entities: [tripEntity], migrations: [trips] });
afterAll(drop);

it('decimals and large integers are read as numbers, and null stays null', async () => {
  await insertRows(db.manager, tripEntity, [
    { id: 1, extras: [], discount: 12.5, meters: 384_400_000 },
    { id: 2, extras: [], discount: null, meters: null },
  ]);
  expect(await db.manager.findBy(tripEntity, { id: 1 })).toMatchObject([
    { discount: 12.5, meters: 384_400_000 },
  ]);
  expect(await db.manager.findBy(tripEntity, { id: 2 })).toMatchObject([{ discount: null, meters: null }]);
});

it('a list is read in the order of its values, without those that this version does not know', async () => {
  await insertRows(db.manager, tripEntity, {
    id: 3,
    extras: ['meal', 'window'],
    discount: null,
    meters: null,
  });
  expect(await db.manager.findOneBy(tripEntity, { id: 3 })).toMatchObject({ extras: ['window', 'meal'] });
  await db.query("UPDATE trips SET extras = 'spaceship,sleeper' WHERE id = 3");
  expect(await db.manager.findOneBy(tripEntity, { id: 3 })).toMatchObject({ extras: ['sleeper'] });
});
