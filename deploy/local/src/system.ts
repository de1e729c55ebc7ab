import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdmin } from './admin.ts';
import { startBacking, type Backing } from './backing.ts';
import { environment } from './config.ts';
import { createDatabases } from './databases.ts';
import { StartFailure } from './errors.ts';
import { REPOSITORY } from './local-files.ts';
import { findFreePorts } from './ports.ts';
import {
  BACKING_OFFSET,
  planProcesses,
  portsFromBase,
  PROCESS_NAMES,
  type ProcessName,
  type ProcessPlan,
  type ProcessPorts,
  type Setting,
  urlOf,
} from './processes.ts';
import { readSecrets, type Secrets } from './secrets.ts';
import { supervise, type Supervised } from './supervised.ts';
import type { Tell } from './tell.ts';
import { waitUntil } from './wait.ts';
import { buildWeb } from './web-build.ts';

export type SystemOptions = {
  /** Where secrets, data and logs lie and stay. Without it: a temporary place that `stop` removes. */
  directory?: string;
  /** bff's port, the others follow. Without it: free ports. */
  base?: number;
  /** Throw-away servers for tests, or those of a developer's machine. */
  purpose?: 'test' | 'run';
  /** Additions to the environment of single processes. */
  env?: Partial<Record<ProcessName, Record<string, string>>>;
  /** Start again what dies. Off, so that a fault test decides itself. */
  restart?: boolean;
  /** Processes start anew whenever their sources change. */
  watch?: boolean;
  /** The repository; a test of this package has stand-ins for the services elsewhere. */
  root?: string;
  /** Gives the start up: what has started is stopped, and the start throws. */
  signal?: AbortSignal;
  tell?: Tell;
};

export type System = {
  publicUrl: string;
  urls: Record<ProcessName, string>;
  sandboxUrl: string;
  admin: { email: string; password: string };
  secrets: Secrets;
  directory: string;
  backing: Backing;
  process(name: ProcessName): Supervised;
  stop(): Promise<void>;
};

const READY_LIMIT_MS = 60_000;

const freePorts = async (): Promise<ProcessPorts> => {
  const ports = await findFreePorts(PROCESS_NAMES.length);
  return Object.fromEntries(PROCESS_NAMES.map((name, index) => [name, ports[index]])) as ProcessPorts;
};

type Preparation = { setting: Setting & { backing: Backing }; plans: ProcessPlan[]; forget(): Promise<void> };

const withAdditions = (plans: ProcessPlan[], env: SystemOptions['env']): ProcessPlan[] =>
  plans.map((plan) => ({ ...plan, env: { ...plan.env, ...env?.[plan.name] } }));

const openBacking = (options: SystemOptions, directory: string, secrets: Secrets): Promise<Backing> =>
  startBacking({
    directory: join(directory, 'backing'),
    secrets,
    ...(options.base === undefined ? {} : { portBase: options.base + BACKING_OFFSET }),
    ...(options.purpose ? { purpose: options.purpose } : {}),
    ...(options.tell ? { tell: options.tell } : {}),
  });

const prepare = async (options: SystemOptions): Promise<Preparation> => {
  const { base, root = REPOSITORY } = options;
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'shortlist-system-')));
  const forget = async (): Promise<void> => {
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  };
  await mkdir(join(directory, 'logs'), { recursive: true, mode: 0o700 });
  const secrets = await readSecrets(join(directory, 'secrets.env'));
  const ports = base === undefined ? await freePorts() : portsFromBase(base);
  const env = environment();
  const publicUrl = (base !== undefined && env.PUBLIC_URL) || `http://localhost:${ports.bff}`;
  const backing = await openBacking(options, directory, secrets).catch(async (error: unknown) => {
    await forget();
    throw error;
  });
  const setting = { root, directory, ports, publicUrl, secrets, backing, env };
  return { setting, plans: withAdditions(planProcesses(setting), options.env), forget };
};

const untilReady = async (processes: Supervised[], signal: AbortSignal): Promise<void> => {
  const give = (): boolean => signal.aborted || processes.some((one) => one.hasEnded());
  const limit = { limitMs: READY_LIMIT_MS, give };
  const waiting = processes.map(async (one) => ({ one, ready: await waitUntil(one.isReady, limit) }));
  const results = await Promise.all(waiting);
  signal.throwIfAborted();
  const lost = results.filter(({ ready }) => !ready).map(({ one }) => one);
  // When one has ended, the others that are not ready yet only wait for it.
  const guilty = lost.find((one) => one.hasEnded()) ?? lost[0];
  if (guilty) throw new StartFailure(guilty.describeEnd());
};

const stopInOrder = async (processes: Supervised[]): Promise<void> => {
  const [bff, sandbox] = ['bff', 'sandbox'].map((name) => processes.filter((one) => one.name === name));
  const services = processes.filter((one) => one.name !== 'bff' && one.name !== 'sandbox');
  for (const group of [bff, services, sandbox]) await Promise.all((group ?? []).map((one) => one.stop()));
};

type Starting = { tell: Tell; signal: AbortSignal; watch: boolean };

const startProcesses = async (
  preparation: Preparation,
  { tell, signal, watch }: Starting,
): Promise<Supervised[]> => {
  signal.throwIfAborted();
  const { setting, plans } = preparation;
  const { root, directory, secrets, backing } = setting;
  await createDatabases(backing.databaseAdminUrl, secrets);
  const surroundings = { logDirectory: join(directory, 'logs'), cwd: root, tell, watch };
  const processes = await Promise.all(plans.map((plan) => supervise(plan, surroundings)));
  try {
    tell(`Starting ${PROCESS_NAMES.join(', ')} …`);
    for (const one of processes) one.start();
    await untilReady(processes, signal);
    const identity = plans.find(({ name }) => name === 'identity');
    const admin = { email: secrets.ADMIN_EMAIL, password: secrets.ADMIN_PASSWORD };
    if (identity) await createAdmin({ root, identity, ...admin });
  } catch (error) {
    await stopInOrder(processes);
    throw error;
  }
  return processes;
};

const onlyOnce = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => (running ??= work());
};

const unlessTold = () => ({
  tell: () => undefined,
  restart: false,
  watch: false,
  signal: new AbortController().signal,
});

/** Starts everything and resolves when all of it is ready; else nothing is left running and it throws. */
export const startSystem = async (options: SystemOptions = {}): Promise<System> => {
  const { tell, restart, watch, signal } = { ...unlessTold(), ...options };
  // bff serves the built pages and does not start without them; a root of a test's own has none.
  if (options.root === undefined) await buildWeb(REPOSITORY, tell);
  signal.throwIfAborted();
  const preparation = await prepare(options);
  const { setting, forget } = preparation;
  const { backing, secrets, publicUrl, directory } = setting;
  const closeBacking = async (): Promise<void> => {
    await backing.stop();
    await forget();
  };
  const processes = await startProcesses(preparation, { tell, signal, watch }).catch(
    async (error: unknown) => {
      await closeBacking();
      throw error;
    },
  );
  if (restart) for (const one of processes) one.keepAlive();
  const find = (name: ProcessName): Supervised => {
    const found = processes.find((one) => one.name === name);
    if (!found) throw new Error(`There is no process ${name}.`);
    return found;
  };
  const stop = onlyOnce(async () => {
    await stopInOrder(processes);
    await closeBacking();
  });
  const urls = PROCESS_NAMES.map((name) => [name, urlOf(setting, name)]);
  return {
    ...{ publicUrl, secrets, directory, backing, process: find, stop },
    urls: Object.fromEntries(urls) as Record<ProcessName, string>,
    sandboxUrl: urlOf(setting, 'sandbox'),
    admin: { email: secrets.ADMIN_EMAIL, password: secrets.ADMIN_PASSWORD },
  };
};
