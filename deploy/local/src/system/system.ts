import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Backing, startBacking } from '../backing/backing.ts';
import { checkDatabase } from '../backing/mariadb.ts';
import { environment, makeTemporaryFolder, REPOSITORY } from '../host/config.ts';
import { findFreePorts } from '../host/ports.ts';
import { readSecrets, type Secrets } from '../host/secrets.ts';
import { runProgram, waitForReady, type WaitOptions } from '../host/wait.ts';
import { createDatabases } from './databases.ts';
import {
  BACKING_OFFSET,
  byProcess,
  chooseFreePorts,
  portsFromBase,
  PROCESS_NAMES,
  type ProcessName,
} from './ports.ts';
import {
  type Deployment,
  type ImageName,
  operatorScript,
  operatorUrlOf,
  planProcess,
  type ProcessPlan,
  urlOf,
  usesSandbox,
} from './processes.ts';
import { supervise, type SupervisedProcess } from './supervisor.ts';
import { buildWeb } from './web.ts';

/** `signal` cancels the start. */
export type SystemOptions = Pick<WaitOptions, 'print' | 'signal'> & {
  /** The folder of secrets, data and logs. Without it: a temporary folder that `stop` removes. */
  directory?: string;
  /** Whether the temporary folder is in memory where there is room. */
  inMemory?: boolean;
  /** bff's port, from which the others follow. Without it: free ports. */
  base?: number;
  /** Additions to the environment of single processes. */
  env?: Partial<Record<ProcessName, Record<string, string>>>;
  /** Whether the databases can be backed up. By default, if `base` is given. */
  hasBinaryLog?: boolean;
  /** Start processes again that end unexpectedly. */
  restart?: boolean;
  /** Restart processes when their sources change. */
  watch?: boolean;
  /** The repository; tests of this package use one with stub services. */
  root?: string;
  /** The repositories of single processes, such as one of another release. */
  roots?: Partial<Record<ProcessName, string>>;
};

/** Settings of bff for tests and benchmarks, whose many clients all have one address. */
export const WITHOUT_LIMITS = {
  LOGIN_LIMIT: '1000000',
  SIGNUP_LIMIT: '1000000',
  API_KEY_LIMIT: '1000000',
  API_USER_LIMIT: '1000000',
  API_TOOL_LIMIT: '1000000',
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
  /** Starts another process beside the one of this name, on free ports. Its log is in `logs/<label>`. */
  startBeside(name: ProcessName, other: Beside): Promise<StartedBeside>;
  /** Runs a command of the operator program; its output is in `logs/<name>-operator.log`. Throws if it fails. */
  operate(name: ImageName, args: string[], other?: Pick<Command, 'env' | 'root'>): Promise<void>;
  stop(): Promise<void>;
};

type Beside = { root: string; label: string; env?: Readonly<Record<string, string>> };
export type StartedBeside = { process: SupervisedProcess; port: number };

/** What clients and `verify` use of the product, wherever it runs. */
export type Installation = Pick<System, 'publicUrl' | 'sandboxUrl' | 'admin' | 'secrets'> & {
  backing: Pick<Backing, 'databaseAdminUrl' | 'sessionsRedisUrl' | 'kafkaBrokers'>;
  /** Undefined where only the cluster reaches the services. */
  urls?: Pick<System['urls'], 'billing' | 'worker'>;
};

/** What has been started, as the steps that end it. `stop` runs them once, the last one first. */
type Cleanup = { add(step: () => Promise<void>): void; stop(): Promise<void> };

const createCleanup = (): Cleanup => {
  const steps: (() => Promise<void>)[] = [];
  const runAll = async (): Promise<void> => {
    for (const step of steps.toReversed()) await step();
  };
  let running: Promise<void> | null = null;
  return { add: (step) => void steps.push(step), stop: () => (running ??= runAll()) };
};

type LocalDeployment = Deployment & { backing: Backing };

const startDeployment = async (options: SystemOptions, cleanup: Cleanup): Promise<LocalDeployment> => {
  const { base, inMemory, hasBinaryLog, root = REPOSITORY, print } = options;
  const directory = options.directory ?? (await makeTemporaryFolder(inMemory));
  if (options.directory === undefined) cleanup.add(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, 'logs'), { recursive: true, mode: 0o700 });
  const secrets = await readSecrets(join(directory, 'secrets.env'));
  const backing = await startBacking({
    directory: join(directory, 'backing'),
    secrets,
    portBase: base === undefined ? undefined : base + BACKING_OFFSET,
    hasBinaryLog,
    print,
  });
  cleanup.add(backing.stop);
  const ports = base === undefined ? await chooseFreePorts() : portsFromBase(base);
  const env = environment();
  const publicUrl = (base !== undefined && env.PUBLIC_URL) || `http://localhost:${ports.ports.bff}`;
  return { ...ports, root, directory, publicUrl, secrets, backing, env };
};

type Processes = Record<ProcessName, SupervisedProcess>;

const stopInOrder = async ({ bff, sandbox, ...services }: Processes): Promise<void> => {
  await bff.stop();
  await Promise.all(Object.values(services).map((service) => service.stop()));
  await sandbox.stop();
};

const planFor = (deployment: Deployment, name: ProcessName, { env }: SystemOptions): ProcessPlan => {
  const plan = planProcess(deployment, name);
  return { ...plan, env: { ...plan.env, ...env?.[name] } };
};

type Start = {
  deployment: Deployment;
  roots: Partial<Record<ProcessName, string>>;
  plans: Record<ProcessName, ProcessPlan>;
  waiting: WaitOptions;
};
type Command = { name: ImageName; args: string[]; env?: Readonly<Record<string, string>>; root?: string };

/** Runs a command of the operator program of a process, with the environment of the process. */
const runOperator = (start: Start, { name, args, env, root: other }: Command): Promise<void> => {
  const { deployment, roots } = start;
  const { directory } = deployment;
  const root = other ?? roots[name] ?? deployment.root;
  const program = {
    name: `${args.join(' ')} of ${name}`,
    command: process.execPath,
    args: [join(root, operatorScript(name)), ...args],
    env: { ...start.plans[name].env, ...env },
    cwd: root,
    logFile: join(directory, `logs/${name}-operator.log`),
  };
  return runProgram(program, start.waiting);
};

/** Starts everything; billing starts when the account of the sandbox is set up, as an account at Stripe is before. */
const startInOrder = async (start: Start, processes: Processes): Promise<void> => {
  const { deployment, waiting } = start;
  const { billing, ...others } = processes;
  for (const one of Object.values(others)) one.start();
  if (usesSandbox(deployment.env)) {
    await waitForReady([processes.sandbox.waitTarget()], waiting);
    await runOperator(start, { name: 'billing', args: ['stripe-check', '--apply'] });
  }
  billing.start();
  const targets = Object.values(processes).map((one) => one.waitTarget());
  await waitForReady(targets, waiting);
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = deployment.secrets;
  // An existing account stays as it is.
  const env = { ADMIN_EMAIL, ADMIN_PASSWORD };
  await runOperator(start, { name: 'identity', args: ['admin', 'create'], env });
};

/** Starts processes beside those of the start. */
const createBeside = ({ deployment, waiting }: Start, options: SystemOptions, cleanup: Cleanup) => {
  const { print = () => undefined } = waiting;
  return async (name: ProcessName, { root, label, env }: Beside): Promise<StartedBeside> => {
    const [port = 0, operatorPort = 0] = await findFreePorts(2);
    const ports = { ...deployment.ports, [name]: port };
    const operatorPorts = { ...deployment.operatorPorts, [name]: operatorPort };
    const logDirectory = join(deployment.directory, 'logs', label);
    await mkdir(logDirectory, { recursive: true, mode: 0o700 });
    const planned = planFor({ ...deployment, root, ports, operatorPorts }, name, options);
    const plan = { ...planned, env: { ...planned.env, ...env } };
    const started = supervise(plan, { logDirectory, cwd: root, print, watch: false });
    cleanup.add(started.stop);
    started.start();
    await waitForReady([started.waitTarget()], waiting);
    return { process: started, port };
  };
};

const startAll = async (options: SystemOptions, cleanup: Cleanup): Promise<System> => {
  const { signal, roots = {}, watch = false, print = () => undefined } = options;
  const deployment = await startDeployment(options, cleanup);
  const { root, directory, secrets, publicUrl, backing } = deployment;
  // A server whose address comes from the environment may still be starting.
  const check = (): Promise<string | null> => checkDatabase(backing.databaseAdminUrl);
  await waitForReady([{ name: 'database server', check }], { print, signal });
  await createDatabases(backing.databaseAdminUrl, secrets);
  const rootOf = (name: ProcessName): string => roots[name] ?? root;
  const plans = byProcess((name) => planFor({ ...deployment, root: rootOf(name) }, name, options));
  const supervision = { logDirectory: join(directory, 'logs'), print, watch };
  const processes = byProcess((name) => supervise(plans[name], { ...supervision, cwd: rootOf(name) }));
  cleanup.add(() => stopInOrder(processes));
  print(`Starting ${PROCESS_NAMES.join(', ')} …`);
  const start = { deployment, roots, plans, waiting: { print, signal } };
  await startInOrder(start, processes);
  if (options.restart) for (const one of Object.values(processes)) one.keepAlive();
  return {
    publicUrl,
    urls: byProcess((name) => urlOf(deployment, name)),
    operatorUrls: byProcess((name) => operatorUrlOf(deployment, name)),
    sandboxUrl: urlOf(deployment, 'sandbox'),
    admin: { email: secrets.ADMIN_EMAIL, password: secrets.ADMIN_PASSWORD },
    secrets,
    directory,
    backing,
    process: (name) => processes[name],
    startBeside: createBeside(start, options, cleanup),
    operate: (name, args, other) => runOperator(start, { name, args, ...other }),
    stop: cleanup.stop,
  };
};

/** Starts everything and resolves when all of it is ready; on failure it throws and nothing is left running. */
export const startSystem = async (options: SystemOptions = {}): Promise<System> => {
  // bff does not start without the built pages; the repository of a test has none.
  if (options.root === undefined) await buildWeb(options);
  options.signal?.throwIfAborted();
  const cleanup = createCleanup();
  try {
    return await startAll(options, cleanup);
  } catch (error) {
    if (!options.signal?.aborted) options.print?.('The start failed; stopping …');
    await cleanup.stop();
    throw error;
  }
};
