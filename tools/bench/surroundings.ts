// What a benchmark measures runs in surroundings of its own: the product, a database, or a server process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { minutes } from '@shortlist/contracts/durations';
import { connect, createDb, type Db } from '@shortlist/kit/data/db';
import { createServiceClient, type ServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool, POOL_LIMITS } from '@shortlist/kit/http/service-pool';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { createLog } from '@shortlist/kit/process/log';
import { startBacking, type Backing, type BackingOptions } from '@shortlist/local/backing';
import { startSystem, type System, type SystemOptions } from '@shortlist/local/system';
import { createConnection } from 'mysql2/promise';

export const log = createLog('bench', 'silent');
export const clock = (): Date => new Date();

/** The expression of SQL for the id of the user with this number. */
export const userIdAt = (index: string): string =>
  `CONCAT('01900000-0000-7000-8000-', LPAD(HEX(${index}), 12, '0'))`;

/** Starts the product with additions to the environment of its processes, and stops it after the work. */
export const withSystem = async (
  env: NonNullable<SystemOptions['env']>,
  work: (system: System) => Promise<void>,
): Promise<void> => {
  const system = await startSystem({ env });
  try {
    await work(system);
  } finally {
    await system.stop();
  }
};

/** Calls a service as other processes do, with a key of the form id:secret. It waits as long as a reconciliation may take. */
export const openService = (audience: string, url: string, key: string): ServiceClient => {
  const [id = '', secret = ''] = key.split(':');
  return createServiceClient({
    audience,
    pool: createServicePool(url, { ...POOL_LIMITS, idleResponseMs: minutes(10) }),
    sign: createTokenSigner({ keys: { [audience]: [{ id, secret }] }, clock }),
    timeoutMs: minutes(10),
  });
};

/** Selects one row of a running product. */
export const selectOne = async <Row>({ backing }: System, sql: string): Promise<Row> => {
  const db = await createConnection(backing.databaseAdminUrl);
  const [rows] = await db.query(sql);
  await db.end();
  return (rows as Row[])[0] as Row;
};

export type BenchDb = { backing: Backing; db: Db; url: string };
type Schema = Pick<Parameters<typeof createDb>[0], 'entities' | 'migrations'>;
type Needed = { name: string; schema: Schema; parts?: BackingOptions['parts'] };

/** Starts servers with a migrated database, and removes them after the work. */
export const withDatabase = async (
  { name, schema, parts = ['database'] }: Needed,
  work: (bench: BenchDb) => Promise<void>,
): Promise<void> => {
  const backing = await startBacking({ parts });
  const admin = await createConnection(backing.databaseAdminUrl);
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = Object.assign(new URL(backing.databaseAdminUrl), { pathname: `/${name}` }).href;
  const db = createDb({ url, ...schema, poolSize: 32 });
  await connect(db, log);
  try {
    await work({ backing, db, url });
  } finally {
    await db.destroy();
    await backing.stop();
  }
};

export type ServerProcess = { url: string; pid: number; stop: () => Promise<void> };

/** Starts a server that prints its address when it listens. */
export const startServerProcess = async (
  [program = '', ...args]: readonly string[],
  env: Record<string, string> = {},
): Promise<ServerProcess> => {
  const options = { env: { ...process.env, ...env } };
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: String(url),
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
};

/** Makes the resident memory that a process has now its peak (`man 5 proc_pid_clear_refs`). */
export const resetPeakMemory = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Returns the largest resident memory of a process since the last reset. */
export const peakMegabytes = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const TICKS_PER_SECOND = 100;

/** Returns the processor time of a process in ms, user and system together (`man 5 proc_pid_stat`). */
export const processorMs = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from the third field on: the second may contain spaces
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
};
