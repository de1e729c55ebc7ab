import { setTimeout as sleep } from 'node:timers/promises';
import { operationsOf } from '@shortlist/contracts/api/operation';
import { findFreePorts } from '@shortlist/local/host/ports';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDb, type Db } from '../src/data/db.ts';
import {
  countDeletionsToRepeat,
  type Deletion,
  deletionsToRepeat,
  repeatDeletions,
} from '../src/data/deletions-to-repeat.ts';
import { createTokenSigner } from '../src/http/service-token.ts';
import type { Service } from '../src/service.ts';
import { createTestDb, type TestDb } from '../src/testing/databases.ts';
import { openTestService, TEST_KEY } from '../src/testing/open-service.ts';
import { until } from '../src/testing/until.ts';
import { silent } from './notes-table.ts';

const schema = { entities: [], migrations: [deletionsToRepeat] };
const readNote = operationsOf('each')('GET /notes', { roles: ['anonymous'], reply: {} });
const USERS = ['a', 'b', 'c'];
const AT = new Date('2026-11-29T12:00:00.000Z');

let test: TestDb;
/** Of another process. */
let other: Db;
beforeAll(async () => {
  test = await createTestDb(schema);
  other = createDb({ url: test.url, ...schema });
  await other.initialize();
});
afterAll(async () => {
  await other.destroy();
  await test.drop();
});
beforeEach(() =>
  other.query('INSERT INTO deletions_to_repeat (user_id, deleted_at) VALUES ?', [
    USERS.map((id) => [id, AT]),
  ]),
);
afterEach(() => other.query('DELETE FROM deletions_to_repeat'));

const parts = (erase: (deletion: Deletion) => Promise<unknown>, signal = new AbortController().signal) => ({
  db: other,
  log: silent,
  erase,
  signal,
});

it('a service answers no request until it has deleted again whom a restore brought back', async () => {
  const [port = 0, operatorPort = 0] = await findFreePorts(2);
  const erased: Deletion[] = [];
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const service: Service = {
    name: 'worker',
    ...schema,
    handlers: [],
    eraseAgain: async (deletion) => {
      await mayGoOn;
      erased.push(deletion);
    },
    endpoints: (router) => router.add(readNote, () => Promise.resolve({})),
  };
  const sign = createTokenSigner({ keys: { worker: [TEST_KEY] }, clock: () => new Date() });
  const authorization = `Bearer ${await sign('worker', { role: 'anonymous', userId: null })}`;
  const status = async (): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/notes`, { headers: { authorization } })).status;
  const opening = openTestService(service, { db: test.db, ports: [port, operatorPort] });
  await until('the service to listen', () =>
    status().then(
      () => true,
      () => false,
    ),
  );
  await sleep(200); // it would have connected by now
  expect([await status(), erased]).toEqual([503, []]);
  goOn();
  const opened = await opening;
  expect(erased).toEqual(USERS.map((userId) => ({ userId, deletedAt: AT })));
  expect([await status(), await countDeletionsToRepeat(other)]).toEqual([200, 0]);
  await opened.stop();
});

it('deletions that were interrupted go on with the user at whom they were', async () => {
  const erased: string[] = [];
  const dying = new AbortController();
  const dieAtSecond = ({ userId }: Deletion): Promise<void> => {
    erased.push(userId);
    if (erased.length < 2) return Promise.resolve();
    dying.abort();
    return Promise.reject(new Error('dies here'));
  };
  await repeatDeletions(parts(dieAtSecond, dying.signal));
  expect([erased, await countDeletionsToRepeat(other)]).toEqual([['a', 'b'], 2]);
  await repeatDeletions(parts(({ userId }) => Promise.resolve(erased.push(userId))));
  expect([erased, await countDeletionsToRepeat(other)]).toEqual([['a', 'b', 'b', 'c'], 0]);
});

it('a deletion that fails is tried again, and the service waits', async () => {
  let failures = 0;
  const failOnce = async (): Promise<void> => {
    if (failures === 0) await Promise.reject(new Error(`failure ${(failures += 1)}`));
  };
  await repeatDeletions(parts(failOnce));
  expect([failures, await countDeletionsToRepeat(other)]).toEqual([1, 0]);
});

it('of two processes one repeats the deletions, and both wait for the last', async () => {
  const erased: string[] = [];
  const erase = async ({ userId }: Deletion): Promise<void> => {
    await sleep(50);
    erased.push(userId);
  };
  const left = async (): Promise<number> => {
    await repeatDeletions(parts(erase));
    return countDeletionsToRepeat(other);
  };
  expect(await Promise.all([left(), left()])).toEqual([0, 0]);
  expect(erased).toEqual(USERS);
});
