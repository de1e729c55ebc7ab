import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { schema as billing } from '@shortlist/billing/db';
import { schema as credits } from '@shortlist/credits/db';
import { schema as identity } from '@shortlist/identity/db';
import { schema as profile } from '@shortlist/profile/db';
import { schema as workerSchema } from '@shortlist/worker/db';
import { openReader } from '@shortlist/kit/data/reader';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CATALOGUE, type CommandName, type Image, imagesOf } from '../src/command.ts';
import { verifyCommand } from '../src/commands/verify.ts';
import { shortlist, spawnShortlist } from './run-shortlist.ts';

const IMAGES: Image[] = ['bff', 'identity', 'profile', 'billing', 'credits', 'worker', 'backup'];
const NAMES = Object.keys(CATALOGUE) as CommandName[];
const KEY = 'k'.repeat(32);

describe('the usage', () => {
  it.each(IMAGES)(
    'every command of the image of %s has one, and the others name their image',
    async (image) => {
      for (const name of NAMES) {
        const { code, stdout, stderr } = await shortlist(image, [name, '--help']);
        if (imagesOf(name).includes(image)) {
          expect([code, stderr]).toEqual([0, '']);
          expect(stdout).toContain(`shortlist ${name}`);
        } else {
          expect(code).toBe(2);
          expect(stderr).toContain(`in the image of ${imagesOf(name).join(', ')}`);
        }
      }
    },
  );

  it('lists the commands of the image, the exit codes and the other commands', async () => {
    const { code, stdout } = await shortlist('credits', ['--help']);
    expect(code).toBe(0);
    for (const name of NAMES) expect(stdout).toContain(`  ${name} `);
    expect(stdout).toContain('Exit codes: 0 done');
  });

  it.each([
    [[], 'The command is missing.'],
    [['destroy'], 'There is no command destroy.'],
    [['dead'], 'One of list, show, replay, settle is missing.'],
    [['dead', 'remove'], 'remove is not one of list, show, replay, settle.'],
    [['dead', 'show'], 'The id is missing.'],
    [['dead', 'list', 'everything'], 'everything is not expected.'],
    [['dead', 'list', '--all'], "Unknown option '--all'"],
    [['dead', 'list', '--timeout', 'soon'], '--timeout takes whole seconds'],
    [['dead', 'replay', 'all'], 'Without a terminal, --yes must confirm this.'],
  ])('refuses %j with code 2', async (args, message) => {
    const { code, stdout, stderr } = await shortlist('credits', args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage:');
  });

  it.each(IMAGES)('the process of the image of %s prints it and ends', async (image) => {
    const { code, stdout, stderr } = await spawnShortlist(image, ['--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toEqual((await shortlist(image, ['--help'])).stdout);
  });

  it('the process ends with the code of a refusal, which it prints to standard error', async () => {
    const { code, stdout, stderr } = await spawnShortlist('credits', ['destroy']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('There is no command destroy.');
  });

  it('names a missing variable', async () => {
    const { code, stderr } = await shortlist('credits', ['dead', 'list']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('missing KAFKA_BROKERS')]);
  });
});

describe('shortlist admin', () => {
  let database: TestDb;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDb({ ...identity, poolSize: 1 });
    env = { DATABASE_URL: database.url };
  });
  afterAll(() => database.drop());

  const admin = (args: string[], input = '', run = shortlist) =>
    run('identity', ['admin', ...args], { env, input });
  const rowOf = async (email: string) =>
    (
      await database.db.query<{ role: string; hash: string }[]>(
        'SELECT admin_role AS role, password_hash AS hash FROM accounts WHERE email = ?',
        [email],
      )
    )[0];

  it('creates an admin with a role and a password from standard input, once', async () => {
    const email = 'ada@shortlist.test';
    const create = ['create', email, '--role', 'support'];
    // A process reads its real standard input.
    expect(await admin(create, 'open sesame open\n', spawnShortlist)).toMatchObject({
      code: 0,
      stdout: `admin ${email} created\n`,
    });
    const created = await rowOf(email);
    expect(created?.role).toBe('support');
    expect((await admin(create, 'another password\n')).stdout).toBe(`admin ${email} unchanged\n`);
    expect(await rowOf(email)).toEqual(created);
  });

  it('sets a new password for an existing admin, and reports that there were no factors', async () => {
    const email = 'bea@shortlist.test';
    await admin(['create', email], 'open sesame open\n');
    const before = await rowOf(email);
    const recovered = await admin(
      ['recover', email, '--new-password', '--remove-factors'],
      'another password\n',
    );
    expect(recovered.stdout).toBe(`admin ${email}: password changed, there were no second factors\n`);
    expect((await rowOf(email))?.hash).not.toBe(before?.hash);
  });

  it('refuses standard input that ends without a line', async () => {
    const { code, stderr } = await admin(['create', 'cleo@shortlist.test'], '', spawnShortlist);
    expect([code, stderr]).toEqual([1, expect.stringContaining('at least 12 characters')]);
  });

  it.each([
    [['create', 'no address'], '', 2, 'is no email address'],
    [
      ['create', 'cleo@shortlist.test', '--role', 'king'],
      'open sesame open\n',
      2,
      'The role is one of owner',
    ],
    [['create', 'cleo@shortlist.test'], '', 1, 'at least 12 characters'],
    [['create', 'cleo@shortlist.test'], 'password123456\n', 1, 'at least 12 characters'],
    [['recover', 'ada@shortlist.test'], '', 2, '--new-password is missing.'],
    [['recover', 'ada@shortlist.test', '--remove-factors'], '', 2, '--new-password is missing.'],
    [
      ['recover', 'cleo@shortlist.test', '--new-password'],
      'open sesame open\n',
      1,
      'no admin has the address',
    ],
  ])('refuses %j', async (args, input, ...expected) => {
    const result = await admin(args, input);
    expect([result.code, result.stderr]).toEqual([expected[0], expect.stringContaining(expected[1])]);
    expect(await rowOf('cleo@shortlist.test')).toBeUndefined();
  });
});

describe('shortlist stripe-inbox', () => {
  let database: TestDb;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDb({ ...billing, poolSize: 1 });
    env = {
      DATABASE_URL: database.url,
      KAFKA_BROKERS: '127.0.0.1:1',
      PORT: '5003',
      BILLING_TOKEN_KEYS: `one:${KEY}`,
      QUEUE_REDIS_URL: 'redis://127.0.0.1:9',
      STRIPE_SECRET_KEY: KEY,
      STRIPE_WEBHOOK_SECRETS: KEY,
      PUBLIC_URL: 'https://people.test',
      STRIPE_API_BASE: 'http://127.0.0.1:1',
    };
    await database.db.query(
      `INSERT INTO stripe_events (event_id, type, payload, status, received_at, due_at)
       VALUES ('evt_1', 'balance.available', '{}', 'failed', '2026-03-01', '2026-03-01')`,
    );
  });
  afterAll(() => database.drop());

  const inbox = (...args: string[]) => shortlist('billing', ['stripe-inbox', ...args], { env });

  it('lists unsettled events and processes them', async () => {
    expect((await inbox('list')).stdout).toMatch(/^evt_1\tbalance.available\tfailed\t.*\n1 unsettled\n$/);
    const [event] = JSON.parse((await inbox('list', '--json')).stdout) as object[];
    expect(event).toMatchObject({ eventId: 'evt_1', status: 'failed' });
    expect((await inbox('replay', 'all')).code).toBe(2);
    expect(await inbox('replay', 'all', '--yes')).toMatchObject({ code: 0, stdout: 'evt_1\tignored\n' });
    expect((await inbox('list')).stdout).toBe('0 unsettled\n');
  });

  it('names an event that is not stored', async () => {
    const { code, stderr } = await inbox('replay', 'evt_9');
    expect([code, stderr]).toEqual([1, expect.stringContaining('no event evt_9 is stored')]);
  });
});

describe('shortlist outbox', () => {
  let database: TestDb;
  beforeAll(async () => {
    database = await createTestDb({ ...credits, poolSize: 1 });
    await database.db.query(
      `INSERT INTO outbox (event_id, topic, message_key, payload, created_at, published_at) VALUES
       ('01900000-0000-7000-8000-000000000001', 'credits.events', 'ada', '{}', '2026-03-01', '2026-03-01'),
       ('01900000-0000-7000-8000-000000000002', 'credits.events', 'ada', '{}', '2026-03-03', '2026-03-03')`,
    );
  });
  afterAll(() => database.drop());

  const republish = (...args: string[]) =>
    shortlist('credits', ['outbox', 'republish', ...args], { env: { DATABASE_URL: database.url } });

  it('republishes what was published since a time, when that is confirmed', async () => {
    expect((await republish('2026-03-02T00:00:00Z')).code).toBe(2);
    expect(await republish('2026-03-02T00:00:00Z', '--yes')).toMatchObject({
      code: 0,
      stdout: '1 event of credits will be published again.\n',
    });
    const rows: { id: string }[] = await database.db.query(
      'SELECT event_id AS id FROM outbox WHERE published_at IS NULL',
    );
    expect(rows).toEqual([{ id: '01900000-0000-7000-8000-000000000002' }]);
  });

  it.each(['yesterday', '2026-03-02', '2999-01-01T00:00:00Z'])('refuses the time %s', async (since) => {
    const { code, stderr } = await republish(since, '--yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining(since)]);
  });
});

describe('shortlist verify', () => {
  let database: TestDb;
  beforeAll(async () => {
    database = await createTestDb({ ...credits, poolSize: 1 });
  });
  afterAll(() => database.drop());

  // Without the pause before a breach is confirmed.
  const commands = { verify: () => Promise.resolve(verifyCommand('credits', { settleMs: 0 })) };
  const verify = (...args: string[]) =>
    shortlist('credits', ['verify', ...args], { env: { DATABASE_URL: database.url }, commands });

  it('checks what the database of the image allows, and names the rest', async () => {
    const { code, stdout } = await verify();
    expect(code).toBe(3);
    expect(stdout).toContain('V1 unchecked: premium is paid or granted (needs billing)');
    expect(stdout).toContain('3 invariants hold, 33 are unchecked');
  });

  it('ends with code 1 and the breach, also as JSON', async () => {
    await database.db.query(
      `INSERT INTO credit_buckets (id, user_id, source_key, plan, credit_limit, used, starts_at, ends_at)
     VALUES (7, '01900000-0000-7000-8000-0000000000aa', 'in_1', 'premium', 500, 4, '2026-03-01', '2026-04-01')`,
    );
    const { code, stdout } = await verify('--json');
    expect(code).toBe(1);
    const { breaches } = JSON.parse(stdout) as { breaches: object[] };
    const detail = 'bucket 7 has 4 used, its ledger 0';
    expect(breaches).toEqual([{ invariant: 'V3', about: expect.any(String) as string, detail }]);
  });

  describe('with worker’s address and keys', () => {
    const databases: TestDb[] = [];
    const reports: { path: string | undefined; hasToken: boolean; body: unknown }[] = [];
    const worker = createHttpServer((request, response) => {
      void json(request).then((body) => {
        reports.push({ path: request.url, hasToken: 'authorization' in request.headers, body });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    let env: Record<string, string>;
    beforeAll(async () => {
      const opened = await Promise.all(
        Object.entries({ identity, profile, billing, worker: workerSchema }).map(async ([name, schema]) => {
          const opened = await createTestDb({ ...schema, poolSize: 1 });
          databases.push(opened);
          return [`${name.toUpperCase()}_DATABASE_URL`, opened.url];
        }),
      );
      await once(worker.listen(0, '127.0.0.1'), 'listening');
      env = {
        ...(Object.fromEntries(opened) as Record<string, string>),
        CREDITS_DATABASE_URL: database.url,
        WORKER_URL: `http://127.0.0.1:${(worker.address() as AddressInfo).port}`,
        WORKER_TOKEN_KEYS: `1:${KEY}`,
      };
    });
    beforeEach(() => void reports.splice(0));
    afterAll(async () => {
      worker.close();
      for (const { drop } of databases) await drop();
    });
    const runWith = (changes: Record<string, string> = {}) =>
      shortlist('credits', ['verify'], { env: { ...env, ...changes }, commands });

    it('it has worker record what it found in every database, without the details', async () => {
      const { code, stdout } = await runWith();
      expect(code).toBe(1);
      expect(stdout).toContain('V3 bucket 7 has 4 used');
      const about = 'the ledger adds up to the use of each bucket';
      const breached = expect.arrayContaining([{ invariant: 'V3', about, breaches: 1 }]) as object[];
      const counts = { checked: expect.any(Number) as number, unchecked: expect.any(Number) as number };
      expect(reports).toMatchObject([
        { path: '/verifications', hasToken: true, body: { ...counts, breached } },
      ]);
      expect(JSON.stringify(reports)).not.toContain('bucket 7');
    });

    it('a run that lacks a database is not recorded', async () => {
      const { code } = await runWith({ PROFILE_DATABASE_URL: '' });
      expect(code).toBe(1);
      expect(reports).toEqual([]);
    });

    it('a result that cannot be recorded is printed, and the run fails', async () => {
      await database.db.query('DELETE FROM credit_buckets');
      const { code, stdout, stderr } = await runWith({ WORKER_URL: 'http://127.0.0.1:9' });
      expect(code).toBe(1);
      expect(stdout).toContain('invariants hold');
      expect(stderr).toContain('could not be reported to worker');
      expect((await runWith()).code).toBe(3);
      expect(reports).toMatchObject([{ body: { breached: [] } }]);
    });
  });

  it('cannot change what it reads', async () => {
    const reader = await openReader(database.url);
    await expect(reader.select('DELETE FROM credit_buckets')).rejects.toThrow(/READ ONLY/i);
    await reader.close();
  });

  it('ends with code 124 when it takes too long', async () => {
    // The process ends although its connection stays open.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const env = { DATABASE_URL: `mysql://one@127.0.0.1:${(silent.address() as AddressInfo).port}/one` };
    const { code, stderr } = await spawnShortlist('credits', ['verify', '--timeout', '1'], { env });
    silent.close();
    expect([code, stderr]).toEqual([124, 'shortlist verify: not finished after 1 s\n']);
  });
});
