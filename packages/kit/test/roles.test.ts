import { operationsOf } from '@shortlist/contracts/api/operation';
import { userRegistered } from '@shortlist/contracts/events/identity';
import { findFreePorts } from '@shortlist/local/host/ports';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { on } from '../src/messaging/handle-batch.ts';
import type { Service } from '../src/service.ts';
import { createDb } from '../src/data/db.ts';
import { withLock } from '../src/data/named-lock.ts';
import { createTokenSigner } from '../src/http/service-token.ts';
import { createEmptyDatabase, createTestDb, type TestDb } from '../src/testing/databases.ts';
import { openTestService, TEST_KEY } from '../src/testing/open-service.ts';
import { until } from '../src/testing/until.ts';

const readNote = operationsOf('each')('GET /notes', { roles: ['anonymous'], reply: {} });
const handlers = [on(userRegistered, () => Promise.resolve())];
const schema = { entities: [], migrations: [] };

let test: TestDb;
beforeAll(async () => {
  test = await createTestDb(schema);
});
afterAll(() => test.drop());

const inRoles = async (roles: string[], handlers: Service['handlers'], drainSeconds = 0) => {
  const service: Service = {
    name: 'worker',
    ...schema,
    handlers: handlers,
    endpoints: (router) => router.add(readNote, () => Promise.resolve({})),
  };
  const opened = await openTestService(service, { db: test.db, roles, drainSeconds });
  return {
    ...opened,
    status: async (): Promise<number> => (await fetch(`${opened.url}/notes`)).status,
    readiness: async (): Promise<number> => (await fetch(`${opened.operatorUrl}/health/ready`)).status,
    checks: async (): Promise<object> => {
      const { checks } = (await (await fetch(`${opened.operatorUrl}/health/ready`)).json()) as {
        checks: object;
      };
      return checks;
    },
  };
};

it('a process with only the consumer role reports whether it consumes, and has no endpoints', async () => {
  const process = await inRoles(['consumers'], handlers);
  await until('the consumer', async () => (await process.readiness()) === 200);
  expect(await process.checks()).toEqual({ database: 'ok', consumer: 'ok' });
  await expect(process.status()).rejects.toThrow('fetch failed');
  await process.stop();
});

it('K3 a request before the database is migrated is refused, reaches no handler and leaves the process running', async () => {
  const { url, drop } = await createEmptyDatabase();
  const db = createDb({ url, ...schema });
  const elsewhere = createDb({ url, ...schema });
  await elsewhere.initialize();
  const [port = 0, operatorPort = 0] = await findFreePorts(2);
  let handled = 0;
  const countReads = (): Promise<object> => {
    handled += 1;
    return Promise.resolve({});
  };
  const service: Service = {
    name: 'worker',
    ...schema,
    handlers: [],
    endpoints: (router) => router.add(readNote, countReads),
  };
  const sign = createTokenSigner({ keys: { worker: [TEST_KEY] }, clock: () => new Date() });
  const authorization = `Bearer ${await sign('worker', { role: 'anonymous', userId: null })}`;
  const read = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/notes`, { headers: { authorization } });
  const isReady = async (): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${operatorPort}/health/ready`)).ok;

  let opening: ReturnType<typeof openTestService> | undefined;
  await withLock(elsewhere, 'migrate', async () => {
    opening = openTestService(service, { db, roles: ['http'], ports: [port, operatorPort] });
    await until('the connection', () => Promise.resolve(db.isInitialized));
    const early = await read();
    expect([early.status, early.headers.get('retry-after'), handled]).toEqual([503, '1', 0]);
    expect(await isReady()).toBe(false);
  });
  const process = await opening;
  expect([(await read()).status, handled]).toEqual([200, 1]);
  expect(await isReady()).toBe(true);
  await process?.stop();
  await elsewhere.destroy();
  await drop();
});

it('a process with the http role is ready without consuming', async () => {
  const process = await inRoles(['http', 'consumers'], handlers);
  expect(await process.checks()).toEqual({ database: 'ok' });
  expect(await process.status()).toBe(401);
  await process.stop();
});

it('a service without handlers is ready in the consumer role', async () => {
  const process = await inRoles(['consumers', 'relay'], []);
  await until('it to be ready', async () => (await process.readiness()) === 200);
  expect(await process.checks()).toEqual({ database: 'ok' });
  await process.stop();
});

it('B12 a stopping process keeps serving and consuming while it drains', async () => {
  const process = await inRoles(['http', 'consumers'], handlers, 1);
  let isStopped = false;
  const stopped = process.stop().then(() => (isStopped = true));
  const response = await fetch(`${process.url}/notes`);
  expect([response.status, response.headers.get('connection')]).toEqual([401, 'close']);
  expect(await process.readiness()).toBe(200);
  expect(isStopped).toBe(false);
  await stopped;
  await expect(process.status()).rejects.toThrow('fetch failed');
});
