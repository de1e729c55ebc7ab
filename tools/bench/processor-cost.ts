// What an action costs in processor time of every process that works for it, servers included, beside what it cannot do without.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify, hash } from '@node-rs/argon2';
import { days, inSeconds } from '@shortlist/contracts/durations';
import type { SignupInput } from '@shortlist/contracts/schemas/account';
import { HASH_SETTINGS } from '@shortlist/identity/passwords';
import { type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { PROCESS_NAMES } from '@shortlist/local/system/ports';
import { createConnection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { registerWithKey } from '../../harness/api-keys.ts';
import { openBus } from '../../harness/broker.ts';
import {
  callApi,
  chargeCredit,
  findInvoiceAtProvider,
  logIn,
  logInAdmin,
  newUser,
  openCheckout,
  payCheckout,
  refundAtProvider,
  register,
  signUp,
  type UserSession,
} from '../../harness/client.ts';
import { atConstantRate, type Print } from './measure.ts';
import { processorMs, withSystem } from './surroundings.ts';

/** Processor time in ms by process, since each has started. */
type Usage = Map<string, number>;

const SERVERS: Record<string, string> = { mariadbd: 'MariaDB', 'redis-server': 'Redis', java: 'Kafka' };

/** The servers that this process has started, as `name → pids` (`man 5 proc_pid_stat`). */
const findServers = (): Map<string, number[]> => {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, name = '', parent] =
          /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return [{ pid: Number(pid), name, parent: Number(parent) }];
      } catch {
        return []; // it has ended meanwhile
      }
    });
  const isOurs = (pid: number): boolean => {
    const parent = processes.find((one) => one.pid === pid)?.parent ?? 0;
    return parent === process.pid || (parent > 1 && isOurs(parent));
  };
  const servers = processes.filter(({ pid, name }) => name in SERVERS && isOurs(pid));
  const byName = Map.groupBy(servers, ({ name }) => SERVERS[name] ?? name);
  return new Map([...byName].map(([name, found]) => [name, found.map(({ pid }) => pid)]));
};

const MEASURED = PROCESS_NAMES.filter((name) => name !== 'sandbox');

const createUsageReader = (system: System): (() => Usage) => {
  const pids = findServers();
  for (const name of MEASURED) pids.set(name, [system.process(name).pid]);
  return () =>
    new Map([...pids].map(([name, all]) => [name, all.reduce((sum, pid) => sum + processorMs(pid), 0)]));
};

const IDLE_MS = 10_000;
/** Longer than the effects of an action take, such as the refresh after webhooks. */
const EFFECTS_MS = 5_000;

/** `shared`: by how many the cost is divided, if not by the number of calls. */
type Action = {
  name: string;
  perSecond: number;
  count: number;
  shared?: number;
  act: (index: number) => Promise<unknown>;
};
type Measuring = { system: System; read: () => Usage; print: Print };

/** Runs an action at a constant rate, and prints what each run costs beyond what the product takes at rest. */
const measureCost = async (
  { read, print }: Measuring,
  { name, perSecond, count, shared = count, act }: Action,
): Promise<void> => {
  const atRest = read();
  await sleep(IDLE_MS);
  const before = read();
  const startedAt = performance.now();
  await atConstantRate({ perSecond, seconds: count / perSecond }, act);
  await sleep(EFFECTS_MS);
  const idleShares = (performance.now() - startedAt) / IDLE_MS;
  const after = read();
  const costs = [...after].map(([process, ms]) => {
    const start = before.get(process) ?? 0;
    return { process, ms: (ms - start - (start - (atRest.get(process) ?? 0)) * idleShares) / shared };
  });
  const total = costs.reduce((sum, { ms }) => sum + ms, 0);
  const each = costs
    .filter(({ ms }) => ms >= 0.1)
    .toSorted((one, other) => other.ms - one.ms)
    .map(({ process, ms }) => `${process} ${ms.toFixed(1)}`);
  print(`${name.padEnd(34)} ${total.toFixed(1).padStart(6)} ms   ${each.join(', ')}`);
};

const accepted = async (calling: Promise<{ status: number; body: unknown }>): Promise<void> => {
  const { status, body } = await calling;
  if (status >= 300) throw new Error(`returned ${status} ${JSON.stringify(body)}`);
};

const repeatedly = async (count: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index += 1) await work(index);
};

const SMALL = 300;

/** The least that these actions need: a hash, a row that is committed, a message that the broker has acknowledged. */
const measureLeast = async ({ system, read, print }: Measuring): Promise<void> => {
  const own = (): number => {
    const { user, system: ofSystem } = process.cpuUsage();
    return (user + ofSystem) / 1_000;
  };
  const least = async (name: string, count: number, act: () => Promise<unknown>): Promise<void> => {
    await repeatedly(count / 10, act);
    const [before, ownBefore] = [read(), own()];
    await repeatedly(count, act);
    const servers = [...read()].filter(([process]) => Object.values(SERVERS).includes(process));
    const ms = servers.reduce(
      (sum, [process, used]) => sum + used - (before.get(process) ?? 0),
      own() - ownBefore,
    );
    print(`${name.padEnd(34)} ${(ms / count).toFixed(1).padStart(6)} ms`);
  };
  const password = 'a long enough one';
  const passwordHash = await hash(password, HASH_SETTINGS);
  await least('the least: a hash', 60, () => verify(passwordHash, password));
  const db = await createConnection(system.backing.databaseAdminUrl);
  await db.query('CREATE DATABASE bench');
  await db.query('CREATE TABLE bench.rows_of_bench (id CHAR(36) PRIMARY KEY, n INT NOT NULL)');
  await least('the least: an insert', SMALL, () =>
    db.query('INSERT INTO bench.rows_of_bench (id, n) VALUES (?, ?)', [uuidv7(), 1]),
  );
  await db.end();
  const bus = openBus(system.backing.kafkaBrokers);
  await bus.ensureTopics(['bench.events']);
  await least('the least: a produced message', SMALL, () =>
    bus.publish('bench.events', [{ key: uuidv7(), value: 'x'.repeat(600) }]),
  );
  await bus.close();
};

const USERS = 60;
const PER_SECOND = 5;
/** What takes about a millisecond is done more often, since the product at rest takes a hundred times as much each second. */
const OFTEN = { perSecond: 50, count: 1_500 };
const SELDOM = { perSecond: PER_SECOND, count: USERS };

const measureRequests = async (measuring: Measuring): Promise<void> => {
  const { system } = measuring;
  const url = system.publicUrl;
  const users: SignupInput[] = Array.from({ length: USERS }, () => newUser());
  const sessions: UserSession[] = [];
  for (const user of users) {
    await signUp(system, user);
    sessions.push(await logIn(system, user));
  }
  const { made } = await registerWithKey(system);
  const admin = await logInAdmin(system);
  const userAt = (index: number): SignupInput => users[index % USERS] as SignupInput;
  const sessionAt = (index: number): UserSession => sessions[index % USERS] as UserSession;
  const checkSession = () => accepted(callApi(`${url}/api/check_authentication`, 'GET', { token: admin }));
  const readCredits = (index: number) =>
    accepted(callApi(`${url}/api/credits`, 'GET', { token: sessionAt(index).token }));
  const charge = { ...OFTEN, count: 400 };
  const apiCharge = () => {
    const headers = { 'idempotency-key': randomUUID() };
    const options = { token: made.key, headers, body: { reason: 'email_found' } };
    return accepted(callApi(`${url}/api/v1/charges`, 'POST', options));
  };
  const actions: Action[] = [
    { name: 'log-in', ...SELDOM, act: (index) => logIn(system, userAt(index)) },
    { name: 'sign-up with its mail', ...SELDOM, act: () => accepted(signUp(system, newUser())) },
    { name: 'session check', ...OFTEN, act: checkSession },
    { name: 'reading the credits', ...OFTEN, act: readCredits },
    {
      name: 'charge',
      ...charge,
      act: (index) => accepted(chargeCredit(system, sessionAt(index), { operationId: randomUUID() })),
    },
    { name: 'charge with an API key', ...charge, count: 200, act: apiCharge },
  ];
  await repeatedly(30, (index) => Promise.all(actions.map(({ act }) => act(index))));
  for (const action of actions) await measureCost(measuring, action);
};

/** With those of the warm-up fewer than a page of Stripe's list, in which their invoices are found. */
const PAYERS = 40;
const WARM_UP = 20;
const QUARTER = { perSecond: PER_SECOND, count: PAYERS / 4 };

const measurePayments = async (measuring: Measuring): Promise<void> => {
  const { system } = measuring;
  const { publicUrl, sandboxUrl } = system;
  const payers: UserSession[] = [];
  await repeatedly(PAYERS, async () => payers.push(await register(system)));
  const control = (path: string, body: object = {}) =>
    accepted(callApi(`${sandboxUrl}/_sandbox${path}`, 'POST', { body }));
  const pay = async (user: UserSession): Promise<void> => {
    const xsl = await payCheckout(system, await openCheckout(system, user));
    await accepted(callApi(`${publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl } }));
  };
  const payerAt = (part: number, index: number) => payers[part * QUARTER.count + index] as UserSession;
  await repeatedly(WARM_UP, async () => pay(await register(system)));
  await sleep(EFFECTS_MS);
  await measureCost(measuring, {
    name: 'first payment with its webhooks',
    ...SELDOM,
    count: PAYERS,
    act: (index) => pay(payers[index] as UserSession),
  });
  const cancel = (index: number) => {
    const { token } = payerAt(0, index);
    const body = { when: 'period_end' };
    return accepted(callApi(`${publicUrl}/api/subscription/cancel`, 'POST', { token, body }));
  };
  await measureCost(measuring, { name: 'cancellation', ...QUARTER, act: cancel });
  const refund = (index: number) => refundAtProvider(system, payerAt(1, index).email);
  await measureCost(measuring, { name: 'refund', ...QUARTER, act: refund });
  const dispute = async (index: number) =>
    control(`/invoices/${await findInvoiceAtProvider(system, payerAt(2, index).email)}/dispute`);
  await measureCost(measuring, { name: 'dispute', ...QUARTER, act: dispute });
  const admin = await logInAdmin(system);
  const remove = (index: number) =>
    accepted(callApi(`${publicUrl}/users/${payerAt(0, index).id}`, 'DELETE', { token: admin }));
  await measureCost(measuring, { name: 'deletion by an admin', ...QUARTER, act: remove });
  // The subscriptions that are left renew together.
  const shared = QUARTER.count + WARM_UP;
  const renew = () => control('/clock/advance', { seconds: inSeconds(days(31)) });
  const once = { perSecond: 1, count: 1, shared };
  await measureCost(measuring, { name: `renewal (${shared} at once)`, ...once, act: renew });
};

/** The processor time of each action, warm, at five a second (fifty for what takes about a millisecond). The sandbox does not count. */
export const benchProcessorCost = (print: Print): Promise<void> =>
  withSystem({ bff: WITHOUT_LIMITS }, async (system) => {
    const measuring = { system, read: createUsageReader(system), print };
    await measureLeast(measuring);
    await measureRequests(measuring);
    await measurePayments(measuring);
  });
