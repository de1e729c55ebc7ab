// Backs up a server of its own with the real tools, and restores into others.
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schema as billing } from '@shortlist/billing/db';
import { schema as credits } from '@shortlist/credits/db';
import { days } from '@shortlist/contracts/durations';
import { schema as identity } from '@shortlist/identity/db';
import { DELETIONS_TO_REPEAT } from '@shortlist/kit/data/deletions-to-repeat';
import { migrateDatabase } from '@shortlist/kit/data/migrate';
import { until } from '@shortlist/kit/testing/until';
import { startMariadb } from '@shortlist/local/backing/mariadb';
import { makeTemporaryFolder } from '@shortlist/local/host/config';
import { findFreePorts } from '@shortlist/local/host/ports';
import { schema as profile } from '@shortlist/profile/db';
import { schema as worker } from '@shortlist/worker/db';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAgeKey } from '../../../harness/age-key.ts';
import type { Run } from '../src/testing/run-in-process.ts';
import { shortlist as runShortlist } from './run-shortlist.ts';

const SCHEMAS = { identity, profile, billing, credits, worker };
const SERVICES = Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[];
const PASSWORD = 'it\'s "a" \\ secret';
const ADA = '01900000-0000-7000-8000-0000000000aa';

type Server = { url: string; directory: string; connection: Connection; stop: () => Promise<void> };

const startServer = async (more: string[] = []): Promise<Server> => {
  const directory = await makeTemporaryFolder(true);
  const [port = 0] = await findFreePorts(1);
  const server = await startMariadb({ directory, port, rootPassword: 'root', more, print: () => undefined });
  const connection = await createConnection({ uri: server.url, timezone: 'Z', multipleStatements: true });
  // A password that must be quoted wherever it is written.
  await connection.query(`SET PASSWORD FOR 'root'@'127.0.0.1' = PASSWORD(?)`, [PASSWORD]);
  return {
    url: `mysql://root@127.0.0.1:${port}`,
    directory,
    connection,
    stop: async () => {
      connection.destroy();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const withPassword = ({ url }: Server, database = ''): string => {
  const address = new URL(url);
  address.password = encodeURIComponent(PASSWORD);
  address.pathname = `/${database}`;
  return address.href;
};

let source: Server;
let target: Server;
let folder: string;
let recipient: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shortlist-backup-test-'));
  [source, target] = await Promise.all([
    startServer(['--log-bin=binlog', '--server-id=1', '--binlog-format=ROW']),
    startServer(),
  ]);
  for (const service of SERVICES) {
    await source.connection.query(`CREATE DATABASE ${service} COLLATE utf8mb4_unicode_ci`);
    await migrateDatabase(
      { name: service, ...SCHEMAS[service] },
      { DATABASE_URL: withPassword(source, service), LOG_LEVEL: 'silent' },
    );
  }
  recipient = await makeAgeKey(join(folder, 'key'));
});
afterAll(async () => {
  await Promise.all([source.stop(), target.stop()]);
  await rm(folder, { recursive: true, force: true });
});

let store: string;
let stores = 0;
beforeEach(() => {
  stores += 1;
  store = join(folder, `store-${stores}`);
});

const shortlist = (args: string[], env: Record<string, string> = {}): Promise<Run> =>
  runShortlist('backup', args, {
    env: {
      PATH: process.env['PATH'] ?? '',
      BACKUP_STORE: store,
      BACKUP_RECIPIENTS: recipient,
      BACKUP_KEY_FILE: join(folder, 'key'),
      BACKUP_DATABASE_URL: withPassword(source),
      RESTORE_PASSWORD: PASSWORD,
      ...env,
    },
  });

const succeed = async (args: string[], env?: Record<string, string>): Promise<string> => {
  const { code, stdout, stderr } = await shortlist(args, env);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};

const select = async ({ connection }: Server, sql: string): Promise<unknown[]> =>
  (await connection.query<RowDataPacket[]>(sql))[0].map((row) => Object.values(row)[0] as unknown);

/** The emails of identity, and which of the users credits knows. */
const stateOf = async (server: Server): Promise<unknown> => ({
  emails: await select(server, 'SELECT email FROM identity.accounts ORDER BY email'),
  users: await select(server, 'SELECT user_id FROM credits.accounts ORDER BY user_id'),
});

const addUser = (name: string, id: string): Promise<unknown> =>
  source.connection.query(
    `INSERT INTO identity.accounts (id, email, password_hash, role, created_at)
       VALUES ('${id}', '${name}@people.test', 'x', 'user', NOW(3));
     INSERT INTO credits.accounts (user_id, plan_version, plan_state) VALUES ('${id}', 1, '{}')`,
  );
const idOf = (number: number): string => ADA.replace(/aa$/, String(number).padStart(2, '0'));

const clearUsers = (): Promise<unknown> =>
  source.connection.query('DELETE FROM identity.accounts; DELETE FROM credits.accounts');

const emptyTarget = async (): Promise<void> => {
  const names = (await select(target, 'SHOW DATABASES')) as string[];
  const own = ['information_schema', 'mysql', 'performance_schema', 'sys'];
  for (const name of names.filter((one) => !own.includes(one)))
    await target.connection.query(`DROP DATABASE ${name}`);
};

const secondOf = async (): Promise<number> => Number((await select(source, 'SELECT UNIX_TIMESTAMP()'))[0]);

/** Returns the beginning of a second of the server in which nothing has happened yet; instants are whole seconds. */
const nextSecond = async (): Promise<string> => {
  const now = await secondOf();
  await until('the next second', async () => (await secondOf()) > now);
  return new Date((now + 1) * 1_000).toISOString();
};

const restoreArgs = (...more: string[]): string[] => ['restore', '--into', target.url, ...more];

describe('shortlist backup and restore', () => {
  beforeEach(async () => {
    await clearUsers();
    await emptyTarget();
  });

  it('a restore brings all databases to an instant between two changes after the backup', async () => {
    await addUser('before', idOf(1));
    await succeed(['backup']);
    await addUser('between', idOf(2));
    const expected = await stateOf(source);
    const at = await nextSecond();
    await addUser('after', idOf(3));
    await source.connection.query(
      `UPDATE identity.accounts SET email = 'lost@people.test' WHERE id = '${idOf(1)}'`,
    );
    await nextSecond();
    await succeed(['backup', 'logs']);

    expect(await succeed(restoreArgs('--at', at))).toContain(`Restored to ${at.replace('.000', '')}`);
    expect(await stateOf(target)).toEqual(expected);
    // The newest instant, over what is there now.
    expect(await succeed(restoreArgs('--yes'))).toContain('The state before is in identity_before_');
    expect(await stateOf(target)).toEqual(await stateOf(source));
  });

  it('a restore of one database leaves the others as they are, and keeps its state before', async () => {
    await addUser('one', idOf(1));
    await succeed(['backup']);
    await succeed(restoreArgs());
    await target.connection.query('DELETE FROM credits.accounts; DELETE FROM identity.accounts');
    const refused = await shortlist(restoreArgs('--only', 'credits'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--yes must confirm')]);
    await succeed(restoreArgs('--only', 'credits', '--yes'));
    expect(await stateOf(target)).toEqual({ emails: [], users: [idOf(1)] });
    const kept = (await select(target, "SHOW DATABASES LIKE '%before%'")) as string[];
    expect(kept).toEqual([expect.stringMatching(/^credits_before_\d{8}T\d{6}Z$/)]);
    expect(await select(target, `SELECT COUNT(*) FROM ${kept[0]}.accounts`)).toEqual([0]);
    const views = "SELECT table_name FROM information_schema.views WHERE table_schema = 'credits' ORDER BY 1";
    const names = (await select(target, views)) as string[];
    expect(names).not.toEqual([]);
    expect(names).toEqual(await select(source, views));
    for (const name of names)
      expect(await select(target, `SELECT COUNT(*) FROM credits.${name}`)).toEqual([0]);
  });

  it('a restore that fails leaves the databases as they were', async () => {
    await addUser('one', idOf(1));
    await succeed(['backup']);
    await succeed(restoreArgs());
    // The log adds a row that the dump has already.
    await source.connection.query('SET sql_log_bin = 0; DELETE FROM identity.accounts; SET sql_log_bin = 1');
    await source.connection.query('DELETE FROM credits.accounts');
    await addUser('one', idOf(1));
    await nextSecond();
    await succeed(['backup', 'logs']);
    const expected = await stateOf(target);
    const { code, stdout, stderr } = await shortlist(restoreArgs('--yes'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('mariadb failed')]);
    expect(stdout).toContain('the databases are as they were before it');
    expect(await stateOf(target)).toEqual(expected);
    expect(await select(target, "SHOW DATABASES LIKE '%before%'")).toEqual([]);
    expect(await select(target, 'SELECT COUNT(*) FROM credits.windows')).toEqual([0]);
  });

  it('a restore refuses databases that are in use', async () => {
    await succeed(['backup']);
    await succeed(restoreArgs());
    await target.connection.query('USE credits');
    const { code, stderr } = await shortlist(restoreArgs('--yes'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('in use (credits: 1 connections): stop the product first'),
    ]);
    await target.connection.query('USE mysql');
  });

  it('an instant outside of what is stored is refused with the instants that are possible', async () => {
    const early = await nextSecond();
    await succeed(['backup']);
    const [{ from, until: end } = { from: '', until: '' }] = JSON.parse(
      await succeed(['backup', 'list', '--json']),
    ) as {
      from: string;
      until: string;
    }[];
    const short = (at: string): string => at.replace('.000', '');
    const tooEarly = await shortlist(restoreArgs('--at', early));
    expect(tooEarly.stderr).toContain(`The oldest backup begins at ${short(from)}`);
    await until('a second after it', async () => (await nextSecond()) > end);
    const tooLate = await shortlist(restoreArgs('--at', await nextSecond()));
    expect(tooLate.stderr).toContain(`can be brought up to ${short(end)}`);
    expect(await select(target, "SHOW DATABASES LIKE 'identity'")).toEqual([]);
  });
});

let entries = 0;
/** As a UUID of version 7, which begins with the time. */
const entryId = (): string => {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String((entries += 1)).padStart(12, '0')}`;
};

/** Deletes a user of identity with the entry in the audit log that the product writes. */
const deleteUser = (id: string): Promise<unknown> =>
  source.connection.query(
    `INSERT INTO identity.audit_log (id, at, actor_id, address, action, target_id)
       VALUES (?, NOW(3), '${ADA}', '', 'account.delete', ?);
     DELETE FROM identity.accounts WHERE id = ?`,
    [entryId(), id, id],
  );

const toRepeat = async (service: string): Promise<unknown[]> =>
  select(target, `SELECT user_id FROM ${service}.deletions_to_repeat ORDER BY user_id`);

describe('users who were deleted', () => {
  beforeEach(async () => {
    await clearUsers();
    await source.connection.query('DELETE FROM identity.audit_log');
    await emptyTarget();
  });

  const lists = async (): Promise<string[]> =>
    (await readdir(join(store, 'deletions'))).filter((name) => name.endsWith('.json')).toSorted();
  /** Lets the newest list begin a day before, so that the next copy begins another. */
  const closeList = async (): Promise<void> => {
    for (const name of (await readdir(join(store, 'deletions'))).toSorted()) {
      const [, since = '', rest = ''] = /^(\d{8})(T.*)$/.exec(name) ?? [];
      const before = new Date(`${since.replace(/(....)(..)(..)/, '$1-$2-$3')}T00:00:00Z`).getTime() - days(2);
      const day = new Date(before).toISOString().slice(0, 10).replaceAll('-', '');
      await rename(join(store, 'deletions', name), join(store, 'deletions', `${day}${rest}`));
    }
  };

  it('are named in every restored database, by the id alone, also if the backup has no table for them', async () => {
    for (const number of [1, 2, 3]) await addUser(`user-${number}`, idOf(number));
    for (const service of SERVICES)
      await source.connection.query(`DROP TABLE ${service}.deletions_to_repeat`);
    await succeed(['backup']);
    const at = await nextSecond();
    await deleteUser(idOf(1));
    await succeed(['backup', 'logs']);
    await deleteUser(idOf(2));
    await succeed(['backup', 'logs']);
    expect(await lists(), 'each copy takes the place of the one before').toHaveLength(1);

    expect(await succeed(restoreArgs('--at', at))).toContain(': 2 users are deleted again');
    for (const service of SERVICES) expect(await toRepeat(service)).toEqual([idOf(1), idOf(2)]);
    expect(await stateOf(target)).toMatchObject({ users: [idOf(1), idOf(2), idOf(3)] });
    // One database alone.
    await target.connection.query('DELETE FROM identity.deletions_to_repeat');
    await succeed(restoreArgs('--only', 'credits', '--at', at, '--yes'));
    expect([await toRepeat('credits'), await toRepeat('identity')]).toEqual([[idOf(1), idOf(2)], []]);
    for (const service of SERVICES) await source.connection.query(`USE ${service}; ${DELETIONS_TO_REPEAT}`);
  });

  it('stay in the store when a database that was set back knows nothing of them any more', async () => {
    await addUser('one', idOf(1));
    await succeed(['backup']);
    const at = await nextSecond();
    await deleteUser(idOf(1));
    await succeed(['backup', 'logs']);
    await source.connection.query('DELETE FROM identity.audit_log');
    await deleteUser(idOf(2));
    await succeed(['backup', 'logs']);
    expect(await lists()).toHaveLength(2);
    expect(await succeed(restoreArgs('--at', at))).toContain(': 2 users are deleted again');
    expect(await toRepeat('profile')).toEqual([idOf(1), idOf(2)]);
  });

  it('of a time without a list are reported, and the copy after an interrupted one has everything', async () => {
    await addUser('one', idOf(1));
    await succeed(['backup']);
    await closeList();
    const at = await nextSecond();
    await deleteUser(idOf(1));
    await succeed(['backup', 'logs']);
    const [, second = ''] = await lists();
    // What a killed copy leaves: a file without the manifest that counts.
    await rm(join(store, 'deletions', second));
    await succeed(['backup', 'logs']);
    const found = await succeed(restoreArgs('--at', at));
    expect(found).toContain(': 1 users are deleted again');
    await closeList();
    await deleteUser(idOf(2));
    await succeed(['backup', 'logs']);
    const all = await lists();
    expect(all.length).toBeGreaterThan(2);
    for (const name of all.slice(0, -1)) await rm(join(store, 'deletions', name));
    const { code, stdout, stderr } = await shortlist(restoreArgs('--at', at, '--yes'));
    expect([code, stdout]).toEqual([0, expect.stringContaining('users are deleted again')]);
    expect(stderr).toContain(`The store does not say who was deleted from ${at.replace('.000', '')} to `);
  });

  it('of a damaged list are reported like those of a missing one, and the nightly trial finds it', async () => {
    await addUser('one', idOf(1));
    await succeed(['backup']);
    const at = await nextSecond();
    await deleteUser(idOf(1));
    await succeed(['backup', 'logs']);
    const [file = ''] = (await readdir(join(store, 'deletions'))).filter((name) => name.endsWith('.age'));
    await writeFile(join(store, 'deletions', file), 'nothing of age');
    const trial = await shortlist(['backup', 'verify', '--into', target.url]);
    expect([trial.code, trial.stderr]).toEqual([1, expect.stringMatching(/deletions\/\S+ is damaged/)]);
    const { code, stderr } = await shortlist(restoreArgs('--at', at));
    expect(code).toBe(0);
    expect(stderr).toMatch(/deletions\/\S+ is damaged/);
    expect(stderr).toContain('The store does not say who was deleted from');
    expect(await toRepeat('identity')).toEqual([]);
  });
});

describe('a store', () => {
  const files = async (): Promise<string[]> =>
    (await readdir(store, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();

  beforeEach(async () => {
    await clearUsers();
    await emptyTarget();
    await addUser('findme', idOf(1));
  });

  it('has only encrypted data, which its owner alone can read', async () => {
    await succeed(['backup']);
    const sealed = (await files()).filter((file) => !file.endsWith('.json'));
    expect(sealed.length).toBeGreaterThan(SERVICES.length);
    for (const file of sealed) {
      const content = await readFile(file, 'latin1');
      expect(content).toMatch(/^age-encryption\.org/);
      expect(content).not.toContain('findme');
      expect((await stat(file)).mode & 0o077).toBe(0);
    }
  });

  it.each(['identity.sql.zst.age', 'binlog'])(
    'a flipped bit in %s is found before anything is replaced',
    async (part) => {
      await succeed(['backup']);
      const file = (await files()).find((name) => name.includes(part) && name.endsWith('.age')) ?? '';
      const content = await readFile(file);
      const middle = Math.floor(content.length / 2);
      content[middle] = (content[middle] ?? 0) ^ 1;
      await writeFile(file, content);
      const { code, stderr } = await shortlist(restoreArgs());
      expect([code, stderr]).toEqual([1, expect.stringMatching(/\.zst\.age is damaged/)]);
      expect(await select(target, "SHOW DATABASES LIKE 'identity'")).toEqual([]);
    },
  );

  it('a wrong key is refused with words', async () => {
    await succeed(['backup']);
    await makeAgeKey(join(folder, 'other'));
    const { code, stderr } = await shortlist(restoreArgs(), { BACKUP_KEY_FILE: join(folder, 'other') });
    expect(code).toBe(1);
    expect(stderr).toContain('The key of BACKUP_KEY_FILE does not open');
  });

  it('an interrupted backup is not listed, and the next one works', async () => {
    await source.connection.query('RENAME TABLE worker.mails TO worker.away');
    await source.connection.query('CREATE VIEW worker.broken AS SELECT id FROM worker.away');
    await source.connection.query('RENAME TABLE worker.away TO worker.mails');
    const { code, stderr } = await shortlist(['backup']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('mariadb-dump failed')]);
    await source.connection.query('DROP VIEW worker.broken');
    expect(await succeed(['backup', 'list'])).toBe('The store has no complete backup.\n');
    // What a killed process leaves.
    await succeed(['backup']);
    const [manifest = ''] = (await files()).filter((file) => file.endsWith('manifest.json'));
    const kept = await readFile(manifest);
    await rm(manifest);
    expect(await succeed(['backup', 'list'])).toBe('The store has no complete backup.\n');
    expect((await shortlist(restoreArgs())).stderr).toContain('no complete backup');
    await writeFile(manifest, kept.subarray(0, 100));
    expect((await shortlist(['backup', 'list'])).stderr).toContain(
      'manifest.json is damaged: it is not JSON',
    );
    await writeFile(manifest, kept);
    expect(await succeed(['backup', 'list'])).toMatch(/^\d{8}T\d{6}Z {2}\S+ to \S+ {2}\d\.\d MB\n$/);
  });

  it('may be a remote of rclone', async () => {
    const env = { BACKUP_STORE: `here:${store}`, RCLONE_CONFIG_HERE_TYPE: 'local' };
    expect(await succeed(['backup', 'list'], env)).toBe('The store has no complete backup.\n');
    await succeed(['backup'], env);
    await succeed(restoreArgs(), env);
    expect(await stateOf(target)).toEqual(await stateOf(source));
    const [dump = ''] = (await files()).filter((file) => file.endsWith('identity.sql.zst.age'));
    await rm(dump);
    expect((await shortlist(restoreArgs('--yes'), env)).stderr).toContain('rclone failed');
    expect(await stateOf(target)).toEqual(await stateOf(source));
  });

  it('loses expired backups with the next backup, and keeps the verified one', async () => {
    await succeed(['backup']);
    const [manifest = ''] = (await files()).filter((file) => file.endsWith('manifest.json'));
    const backup = JSON.parse(await readFile(manifest, 'utf8')) as { id: string };
    for (const day of ['01', '02', '03']) {
      const id = `202001${day}T030000Z`;
      await cp(join(store, 'backups', backup.id), join(store, 'backups', id), { recursive: true });
      const times = { startedAt: `2020-01-${day}T03:00:00Z`, endedAt: `2020-01-${day}T03:10:00Z` };
      await writeFile(
        join(store, 'backups', id, 'manifest.json'),
        JSON.stringify({ ...backup, id, ...times }),
      );
    }
    await mkdir(join(store, 'verified'));
    await writeFile(join(store, 'verified/20200102T030000Z.json'), '{}');
    expect(await succeed(['backup', '--keep-days', '1', '--keep-months', '1'])).toContain(
      '2 expired backups removed',
    );
    const ids = (JSON.parse(await succeed(['backup', 'list', '--json'])) as { id: string }[]).map(
      ({ id }) => id,
    );
    expect(ids).toEqual(['20200102T030000Z', backup.id, expect.any(String)]);
    expect((await files()).filter((file) => file.includes('20200101'))).toEqual([]);
  });

  it('is filled by an account with the rights that the page names', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/backup.md'), 'utf8');
    const grants = page.replaceAll(/\n */g, ' ').match(/GRANT [^`]+ TO backup/g) ?? [];
    expect(grants).toHaveLength(2);
    await source.connection.query(`CREATE USER backup IDENTIFIED BY 'limited'; ${grants.join('; ')}`);
    const url = new URL(withPassword(source));
    url.username = 'backup';
    url.password = 'limited';
    await succeed(['backup'], { BACKUP_DATABASE_URL: url.href });
    await succeed(['backup', 'logs'], { BACKUP_DATABASE_URL: url.href });
    await source.connection.query('DROP USER backup');
  });

  it('several jobs at once copy each file of the binary log once', async () => {
    await Promise.all([succeed(['backup']), succeed(['backup', 'logs']), succeed(['backup', 'logs'])]);
    await succeed(restoreArgs());
    expect(await stateOf(target)).toEqual(await stateOf(source));
  });

  it('a copy of the log while the first backup is in the making leaves no gap in the deletions', async () => {
    await succeed(['backup', 'logs']);
    expect((await files()).filter((file) => file.includes('deletions'))).toEqual([]);
    await succeed(['backup']);
    await succeed(restoreArgs()); // without a word about what the store does not say
  });

  it('a gap in the binary log ends the instants that can be restored', async () => {
    await succeed(['backup']);
    await succeed(['backup', 'logs']);
    await succeed(['backup', 'logs']);
    const reach = async (): Promise<string> =>
      (JSON.parse(await succeed(['backup', 'list', '--json'])) as { until: string }[])[0]?.until ?? '';
    const before = await reach();
    const logs = (await files()).filter((file) => file.includes('/logs/') && file.endsWith('.json'));
    await rm(logs.at(-2) ?? '');
    expect((await reach()) <= before).toBe(true);
    await rm(logs.at(0) ?? '');
    expect((await shortlist(restoreArgs())).stderr).toContain('The binary log of the backup');
  });
});

describe('shortlist backup verify', () => {
  beforeEach(async () => {
    await clearUsers();
    await emptyTarget();
  });
  const verify = (): Promise<Run> => shortlist(['backup', 'verify', '--into', target.url]);
  const reports = (): Promise<unknown[]> =>
    select(source, 'SELECT name FROM worker.backup_reports ORDER BY name');

  it('restores, migrates, checks and reports; the scratch server is empty afterwards', async () => {
    await source.connection.query('DELETE FROM worker.backup_reports');
    await succeed(['backup']);
    expect(await reports()).toEqual(['backup']);
    const { code, stdout, stderr } = await verify();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/verified at \S+: \d+ invariants hold/);
    expect(await reports()).toEqual(['backup', 'verified']);
    expect(await succeed(['backup', 'list'])).toContain('verified');
    expect(await select(target, "SHOW DATABASES LIKE 'identity'")).toEqual([]);
    expect((await verify()).code).toBe(0);
  });

  it('a broken invariant fails it, and is not reported as verified', async () => {
    await source.connection.query('DELETE FROM worker.backup_reports');
    // An account without a profile.
    await addUser('alone', idOf(1));
    await succeed(['backup']);
    await nextSecond();
    await nextSecond();
    await succeed(['backup', 'logs']);
    const { code, stdout } = await verify();
    expect([code, stdout]).toEqual([1, expect.stringContaining(idOf(1))]);
    expect(await reports()).toEqual(['backup']);
  });

  it('refuses a server that has databases of the product', async () => {
    await succeed(['backup']);
    const { code, stderr } = await shortlist(['backup', 'verify', '--into', source.url]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('use an empty one')]);
  });
});

it.each([
  [['restore'], '--into is missing'],
  [['restore', '--into', 'mysql://root:secret@127.0.0.1'], '--into takes no password'],
  [['restore', '--into', 'http://root@127.0.0.1'], '--into takes an address'],
  [['restore', '--into', 'mysql://root@127.0.0.1', '--only', 'kafka'], '--only takes one of'],
  [['restore', '--into', 'mysql://root@127.0.0.1', '--at', 'noon'], 'is not a time like'],
  [['restore', '--into', 'mysql://root@127.0.0.1', '--at', '2999-01-01T00:00:00Z'], 'in the future'],
  [['backup', '--keep-days', '0'], '--keep-days takes a whole number'],
])('refuses %j with code 2', async (args, message) => {
  const { code, stderr } = await shortlist(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
