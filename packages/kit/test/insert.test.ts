import { afterAll, beforeEach, expect, it } from 'vitest';
import * as column from '../src/data/columns.ts';
import { inTransaction } from '../src/data/db.ts';
import { defineEntity, type RowOf } from '../src/data/entity.ts';
import { insertIfAbsent, insertOrLock, upsert } from '../src/data/insert.ts';
import { migration } from '../src/data/migration.ts';
import { createTestDb } from '../src/testing/databases.ts';

const seatEntity = defineEntity('seat', 'seats', {
  seatNumber: { ...column.int, primary: true },
  guestName: column.varchar(40),
  price: column.int,
});
type Seat = RowOf<typeof seatEntity>;
const seats = migration('CreateSeats1700000000000', [
  'CREATE TABLE seats (seat_number INT PRIMARY KEY, guest_name VARCHAR(40) NOT NULL, price INT NOT NULL) ENGINE=InnoDB',
]);
const { db, drop } = await createTestDb({ entities: [seatEntity], migrations: [seats] });
afterAll(drop);

const ANA = { seatNumber: 1, guestName: 'ana', price: 10 };
const BEN = { seatNumber: 1, guestName: 'ben', price: 20 };
const CLEO = { seatNumber: 2, guestName: 'cleo', price: 30 };
const stored = (): Promise<Seat[]> => db.getRepository(seatEntity).find({ order: { seatNumber: 'ASC' } });

beforeEach(async () => {
  await db.getRepository(seatEntity).clear();
  await db.getRepository(seatEntity).insert(ANA);
});

it('insertIfAbsent inserts the rows whose keys are free, and counts them', async () => {
  expect(await insertIfAbsent(db.manager, seatEntity, BEN)).toBe(0);
  expect(await insertIfAbsent(db.manager, seatEntity, [BEN, CLEO])).toBe(1);
  expect(await insertIfAbsent(db.manager, seatEntity, [])).toBe(0);
  expect(await stored()).toEqual([ANA, CLEO]);
});

it('upsert changes the named properties of an existing row, and no others', async () => {
  await upsert(db.manager, seatEntity, { rows: [BEN, CLEO], update: ['guestName'] });
  expect(await stored()).toEqual([{ ...ANA, guestName: 'ben' }, CLEO]);
  await upsert(db.manager, seatEntity, { rows: [], update: ['guestName'] });
});

it('insertOrLock locks an existing row without changing it', async () => {
  await inTransaction(db, async (tx) => {
    await insertOrLock(tx, seatEntity, BEN);
    await inTransaction(db, async (other) => {
      const free = await other
        .getRepository(seatEntity)
        .find({ lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' } });
      expect(free).toEqual([]);
    });
    await insertOrLock(tx, seatEntity, CLEO);
  });
  expect(await stored()).toEqual([ANA, CLEO]);
});
