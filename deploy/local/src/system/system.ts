import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Backing, startBacking } from '../backing/backing.ts';
import { checkDatabase } from '../backing/mariadb.ts';
import { environment } from '../host/config.ts';
import type { Print } from '../host/print.ts';
import { makeTemporaryFolder } from '../host/temporary-folder.ts';
import { REPOSITORY } from '../state/local-files.ts';
import { readSecrets, type Secrets } from '../state/secrets.ts';
import { waitForReady, type WaitLimits } from '../waiting/wait-for-ready.ts';
import { choosePorts } from './system-ports.ts';
import { createAdmin } from './create-admin.ts';
import { createDatabases } from './databases.ts';
import {
  type Deployment,
  planProcesses,
  type ProcessPlan,
  operatorUrlOf,
  urlOf,
  usesSandbox,
} from './processes.ts';
import { BACKING_OFFSET, PROCESS_NAMES, type ProcessName } from './system-ports.ts';
import { setUpStripe } from './set-up-stripe.ts';
import { supervise, type SupervisedProcess } from './supervisor.ts';
import { buildWeb } from './web-build.ts';

export type SystemOptions = {
  /** The folder of secrets, data and logs. Without it: a temporary folder that `stop` removes. */
  directory?: string;
  /** Whether the temporary folder is in memory where there is room. */
  inMemory?: boolean;
  /** bff's port, from which the others follow. Without it: free ports. */
  base?: number;
  /** Disposable servers for tests, or those of a developer's machine. */
  purpose?: 'test' | 'run';
  /** Additions to the environment of single processes. */
  env?: Partial<Record<ProcessName, Record<string, string>>>;
  /** Start processes again that end unexpectedly. */
  restart?: boolean;
  /** Restart processes when their sources change. */
  watch?: boolean;
  /** The repository; tests of this package use one with stub services. */
  root?: string;
  /** Cancels the start: everything is stopped, and `startSystem` throws. */
  signal?: AbortSignal;
  print?: Print;
  /** Other limits than those of `waitForReady`, for the wait for the processes. */
  limits?: Partial<WaitLimits>;
  /** How long a process may take to stop before it is killed. */
  stopGraceMs?: number;
};

export type System = {
  publicUrl: string;
  urls: Record<ProcessName, string>;
  /** Of health and metrics. */
  operatorUrls: Record<ProcessName, string>;
  sandboxUrl: string;
  admin: { email: string; password: string };
  secrets: Secrets;
  directory: string;
  backing: Backing;
  process(name: ProcessName): SupervisedProcess;
  stop(): Promise<void>;
};

/** What clients and the auditor use of the product, wherever it runs. */
export type Installation = Pick<System, 'publicUrl' | 'sandboxUrl' | 'admin' | 'secrets'> & {
  backing: Pick<Backing, 'databaseAdminUrl' | 'sessionsRedisUrl' | 'kafkaBrokers'>;
};

type Preparation = {
  deployment: Deployment & { backing: Backing };
  plans: ProcessPlan[];
  release(): Promise<void>;
};

const withAdditions = (plans: ProcessPlan[], env: SystemOptions['env']): ProcessPlan[] =>
  plans.map((plan) => ({ ...plan, env: { ...plan.env, ...env?.[plan.name] } }));

const openBacking = (options: SystemOptions, directory: string, secrets: Secrets): Promise<Backing> =>
  startBacking({
    directory: join(directory, 'backing'),
    secrets,
    ...(options.base === undefined ? {} : { portBase: options.base + BACKING_OFFSET }),
    ...(options.purpose ? { purpose: options.purpose } : {}),
    ...(options.print ? { print: options.print } : {}),
  });

const prepare = async (options: SystemOptions): Promise<Preparation> => {
  const { base, root = REPOSITORY } = options;
  const directory = options.directory ?? (await makeTemporaryFolder('shortlist-system-', options.inMemory));
  const release = async (): Promise<void> => {
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  };
  await mkdir(join(directory, 'logs'), { recursive: true, mode: 0o700 });
  const secrets = await readSecrets(join(directory, 'secrets.env'));
  const ports = await choosePorts(base);
  const env = environment();
  const publicUrl = (base !== undefined && env.PUBLIC_URL) || `http://localhost:${ports.ports.bff}`;
  const backing = await openBacking(options, directory, secrets).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  const deployment = { root, directory, ...ports, publicUrl, secrets, backing, env };
  return { deployment, plans: withAdditions(planProcesses(deployment), options.env), release };
};

const stopInOrder = async (processes: SupervisedProcess[]): Promise<void> => {
  const [bff, sandbox] = ['bff', 'sandbox'].map((name) => processes.filter((one) => one.name === name));
  const services = processes.filter((one) => one.name !== 'bff' && one.name !== 'sandbox');
  for (const group of [bff, services, sandbox]) await Promise.all((group ?? []).map((one) => one.stop()));
};

type Defaulted = Required<Pick<SystemOptions, 'print' | 'signal' | 'watch' | 'restart'>> & SystemOptions;

const prepareDatabases = async ({ deployment }: Preparation, { print, signal }: Defaulted): Promise<void> => {
  const { backing, secrets } = deployment;
  const check = (): Promise<string | null> => checkDatabase(backing.databaseAdminUrl);
  // A server whose address comes from the environment may still be starting.
  await waitForReady([{ name: 'the database server', check }], { print, signal });
  await createDatabases(backing.databaseAdminUrl, secrets);
};

const createFirstAdmin = async (preparation: Preparation, options: Defaulted): Promise<void> => {
  const { deployment, plans } = preparation;
  const { root, directory, secrets } = deployment;
  const identity = plans.find(({ name }) => name === 'identity');
  if (!identity) return;
  const admin = { email: secrets.ADMIN_EMAIL, password: secrets.ADMIN_PASSWORD };
  const { print, signal } = options;
  await createAdmin({ ...admin, root, logDirectory: join(directory, 'logs'), identity, print, signal });
};

/** Starts everything; billing starts when the account of the sandbox is set up, as an account at Stripe is before. */
const startInOrder = async (
  { deployment, plans }: Preparation,
  { print, signal, limits }: Defaulted,
  processes: SupervisedProcess[],
): Promise<void> => {
  for (const one of processes) if (one.name !== 'billing') one.start();
  const billing = plans.find(({ name }) => name === 'billing');
  if (billing && usesSandbox(deployment.env)) {
    const sandbox = processes.filter(({ name }) => name === 'sandbox').map((one) => one.waitTarget());
    await waitForReady(sandbox, { print, signal, limits });
    const { root, directory } = deployment;
    await setUpStripe({ root, logDirectory: join(directory, 'logs'), billing, print, signal });
  }
  for (const one of processes) if (one.name === 'billing') one.start();
};

const startProcesses = async (preparation: Preparation, options: Defaulted): Promise<SupervisedProcess[]> => {
  const { print, signal, watch, limits, stopGraceMs } = options;
  signal.throwIfAborted();
  await prepareDatabases(preparation, options);
  const { deployment, plans } = preparation;
  const supervision = {
    logDirectory: join(deployment.directory, 'logs'),
    cwd: deployment.root,
    print,
    watch,
    ...(stopGraceMs === undefined ? {} : { stopGraceMs }),
  };
  const processes = await Promise.all(plans.map((plan) => supervise(plan, supervision)));
  try {
    print(`Starting ${PROCESS_NAMES.join(', ')} …`);
    await startInOrder(preparation, options, processes);
    const targets = processes.map((one) => one.waitTarget());
    await waitForReady(targets, { print, signal, limits });
    await createFirstAdmin(preparation, options);
  } catch (error) {
    if (!signal.aborted) print('The start failed; stopping …');
    await stopInOrder(processes);
    throw error;
  }
  return processes;
};

const runOnce = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => (running ??= work());
};

const withDefaults = (options: SystemOptions): Defaulted => ({
  print: () => undefined,
  restart: false,
  watch: false,
  signal: new AbortController().signal,
  ...options,
});

/** Starts everything and resolves when all of it is ready; on failure it throws and nothing is left running. */
export const startSystem = async (partial: SystemOptions = {}): Promise<System> => {
  const options = withDefaults(partial);
  // bff does not start without the built pages; the repository of a test has none.
  if (options.root === undefined) await buildWeb(REPOSITORY, options);
  options.signal.throwIfAborted();
  const preparation = await prepare(options);
  const { deployment, release } = preparation;
  const { backing, secrets, publicUrl, directory } = deployment;
  const closeBacking = async (): Promise<void> => {
    await backing.stop();
    await release();
  };
  const processes = await startProcesses(preparation, options).catch(async (error: unknown) => {
    await closeBacking();
    throw error;
  });
  if (options.restart) for (const one of processes) one.keepAlive();
  const find = (name: ProcessName): SupervisedProcess => {
    const found = processes.find((one) => one.name === name);
    if (!found) throw new Error(`There is no process ${name}.`);
    return found;
  };
  const stop = runOnce(async () => {
    await stopInOrder(processes);
    await closeBacking();
  });
  const byName = (urlFor: typeof urlOf) =>
    Object.fromEntries(PROCESS_NAMES.map((name) => [name, urlFor(deployment, name)])) as Record<
      ProcessName,
      string
    >;
  return {
    ...{ publicUrl, secrets, directory, backing, process: find, stop },
    urls: byName(urlOf),
    operatorUrls: byName(operatorUrlOf),
    sandboxUrl: urlOf(deployment, 'sandbox'),
    admin: { email: secrets.ADMIN_EMAIL, password: secrets.ADMIN_PASSWORD },
  };
};
