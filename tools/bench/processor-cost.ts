// What an action costs in processor time of every process that works for it, servers included, beside what it cannot do without.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify, hash } from '@node-rs/argon2';
import { days, inSeconds, minutes } from '@shortlist/contracts/durations';
import { HASH_SETTINGS } from '@shortlist/identity/passwords';
import { type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { until } from '@shortlist/kit/testing/until';
import { createConnection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { registerWithKey } from '../../harness/api-keys.ts';
import { openBus } from '../../harness/broker.ts';
import {
  callApi,
  findInvoiceAtProvider,
  logInAdmin,
  openCheckout,
  payCheckout,
  refundAtProvider,
  register,
  type UserSession,
} from '../../harness/client.ts';
import { ACTIONS, type ActionName, type ActionWork, type Measured } from '../capacity/capacity.rules.ts';
import { isSaving, savePart } from '../capacity/measured.ts';
import { accepted, prepareEverydayActions, raiseCredits, warmUp } from './everyday-actions.ts';
import { atConstantRate, type Print } from './measure.ts';
import { createUsageReader, SERVERS } from './processor-usage.ts';
import { coresOf, type Meter, ofOne, openMeter, type Span, withoutIdle } from './span.ts';
import { selectOne, withSystem } from './surroundings.ts';

const IDLE_MS = 10_000;
/** Longer than the effects of an action take, such as the refresh after webhooks. */
const EFFECTS_MS = 5_000;
const AT_REST_MS = 30_000;

/** `note` is printed beside the name. `shared`: by how many the cost is divided, if not by the number of calls. */
type Action = {
  name: string;
  note?: string;
  perSecond: number;
  count: number;
  shared?: number;
  act: (index: number) => Promise<unknown>;
};
/** `costs`: what one run of each action takes, by its name. */
type Measuring = { system: System; meter: Meter; print: Print; costs: Map<string, Cost> };
type Cost = { processorMs: Record<string, number>; work: ActionWork };

/** Smaller values are noise. */
const LEAST_MS = 0.1;
const LEAST_COUNT = 0.01;

const costOf = ({ processorMs, work, rows }: Span, count: number): Cost => {
  const none = { statements: 0, writes: 0, redisCommands: 0, events: 0, eventBytes: 0, stripeCalls: 0 };
  return {
    processorMs: ofOne(processorMs, count, LEAST_MS),
    work: { ...none, ...ofOne(work, count, LEAST_COUNT), rows: ofOne(rows, count, LEAST_COUNT) },
  };
};

/** Runs an action at a constant rate, and prints what each run costs beyond what the product takes at rest. */
const measureCost = async (
  { meter, print, costs }: Measuring,
  { name, note, perSecond, count, shared = count, act }: Action,
): Promise<void> => {
  const idle = await meter.measure(() => sleep(IDLE_MS));
  const span = await meter.measure(async () => {
    await atConstantRate({ perSecond, seconds: count / perSecond }, act);
    await sleep(EFFECTS_MS);
  });
  const cost = costOf(withoutIdle(span, idle), shared);
  costs.set(name, cost);
  const { processorMs, work } = cost;
  const total = Object.values(processorMs).reduce((sum, ms) => sum + ms, 0);
  const each = Object.entries(processorMs).map(([process, ms]) => `${process} ${ms.toFixed(1)}`);
  const title = note === undefined ? name : `${name} ${note}`;
  print(`${title.padEnd(34)} ${total.toFixed(1).padStart(6)} ms   ${each.join(', ')}`);
  const counts = Object.entries(work).map(([what, value]) =>
    typeof value === 'number' ? `${what} ${value}` : `rows ${Object.keys(value).length} tables`,
  );
  print(`${''.padEnd(44)}   ${counts.join(', ')}`);
};

const repeatedly = async (count: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index += 1) await work(index);
};

const SMALL = 300;

/** Prints the least that these actions need: a hash, a row that is committed, a message that the broker has acknowledged. Returns the ms of a hash. */
const measureLeast = async ({ system, print }: Measuring): Promise<number> => {
  const read = createUsageReader(system);
  const own = (): number => {
    const { user, system: ofSystem } = process.cpuUsage();
    return (user + ofSystem) / 1_000;
  };
  const least = async (name: string, count: number, act: () => Promise<unknown>): Promise<number> => {
    await repeatedly(count / 10, act);
    const [before, ownBefore] = [read(), own()];
    await repeatedly(count, act);
    const servers = [...read()].filter(([process]) => Object.values(SERVERS).includes(process));
    const ms = servers.reduce(
      (sum, [process, used]) => sum + used - (before.get(process) ?? 0),
      own() - ownBefore,
    );
    print(`${name.padEnd(34)} ${(ms / count).toFixed(1).padStart(6)} ms`);
    return ms / count;
  };
  const password = 'a long enough one';
  const passwordHash = await hash(password, HASH_SETTINGS);
  const hashMs = await least('the least: a hash', 60, () => verify(passwordHash, password));
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
  return hashMs;
};

const RUNS = 60;
const PER_SECOND = 5;
/** What takes about a millisecond is done more often, since the product at rest takes a hundred times as much each second. */
const OFTEN = { perSecond: 50, count: 1_500 };
const SELDOM = { perSecond: PER_SECOND, count: RUNS };

const measureRequests = async (measuring: Measuring): Promise<void> => {
  const { system } = measuring;
  const everyday = await prepareEverydayActions(system);
  const { made } = await registerWithKey(system);
  const apiCharge = () => {
    const headers = { 'idempotency-key': randomUUID() };
    const options = { token: made.key, headers, body: { reason: 'email_found' } };
    return accepted(callApi(`${system.publicUrl}/api/v1/charges`, 'POST', options));
  };
  await apiCharge();
  await raiseCredits(system);
  const actions: Action[] = [
    { name: 'log-in', ...SELDOM, act: everyday['log-in'] },
    { name: 'sign-up', note: 'with its mail', ...SELDOM, act: everyday['sign-up'] },
    { name: 'session check', ...OFTEN, act: everyday['session check'] },
    { name: 'reading the credits', ...OFTEN, act: everyday['reading the credits'] },
    { name: 'charge', ...OFTEN, count: 400, act: everyday.charge },
    { name: 'charge with an API key', ...OFTEN, count: 200, act: apiCharge },
  ];
  for (const { perSecond, act } of actions) await warmUp(act, { isSeldom: perSecond === PER_SECOND });
  for (const action of actions) await measureCost(measuring, action);
};

/** Fewer than a page of Stripe's list, which begins with the newest invoices. */
const PAYERS = 40;
const WARM_UP = 120;
const AT_ONCE = 10;
/** How long Stripe takes to lead from a payment back to the page. In the second of the payment, nobody can know whether a read was early. */
const REDIRECT_MS = 2_500;
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
    await sleep(REDIRECT_MS);
    await accepted(callApi(`${publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl } }));
  };
  const payerAt = (part: number, index: number) => payers[part * QUARTER.count + index] as UserSession;
  await repeatedly(WARM_UP / AT_ONCE, () =>
    Promise.all(Array.from({ length: AT_ONCE }, async () => pay(await register(system)))),
  );
  await sleep(EFFECTS_MS);
  await measureCost(measuring, {
    name: 'first payment',
    note: 'with its webhooks',
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
  // The subscriptions that are left renew together; those with a dispute too.
  const shared = 2 * QUARTER.count + WARM_UP;
  const hasSettled = async (): Promise<boolean> => {
    const unsettled = `SELECT COUNT(*) AS count FROM billing.stripe_events WHERE status IN ('pending', 'failed')`;
    return (await selectOne<{ count: number }>(system, unsettled)).count === 0;
  };
  const renew = async (): Promise<void> => {
    await control('/clock/advance', { seconds: inSeconds(days(31)) });
    await sleep(EFFECTS_MS);
    await until('all renewals', hasSettled, minutes(2));
  };
  const once = { perSecond: 1, count: 1, shared };
  await measureCost(measuring, { name: 'renewal', note: `(${shared} at once)`, ...once, act: renew });
};

const save = async (costs: Map<string, Cost>, hashMs: number, idle: Span): Promise<void> => {
  const ofActions = <Value>(valueOf: (cost: Cost) => Value): Record<ActionName, Value> =>
    Object.fromEntries(
      ACTIONS.map((action) => {
        const cost = costs.get(action);
        if (cost === undefined) throw new Error(`${action} was not measured`);
        return [action, valueOf(cost)];
      }),
    ) as Record<ActionName, Value>;
  const source = 'SAVE=yes make bench b=cost';
  const processor: Omit<Measured['processor'], 'measuredAt' | 'machine' | 'source'> = {
    hashMs: Number(hashMs.toFixed(1)),
    coresAtRest: coresOf(idle),
    msOfAction: ofActions(({ processorMs }) => processorMs),
  };
  await savePart('processor', source, processor);
  await savePart('work', source, { ofAction: ofActions(({ work }) => work) });
};

/**
 * The processor time of each action, warm, at five a second (fifty for what takes about a millisecond). The sandbox does not count. SAVE=yes
 * writes them for `make capacity`.
 */
export const benchProcessorCost = (print: Print): Promise<void> =>
  withSystem({ bff: WITHOUT_LIMITS }, async (system) => {
    const meter = await openMeter(system);
    const measuring: Measuring = { system, meter, print, costs: new Map() };
    const hashMs = await measureLeast(measuring);
    await measureRequests(measuring);
    await sleep(EFFECTS_MS);
    const idle = await meter.measure(() => sleep(AT_REST_MS)); // payments have effects for minutes
    await measurePayments(measuring);
    await meter.close();
    if (isSaving) await save(measuring.costs, hashMs, idle);
  });
