// What a number of users needs: each action happens so often at the peak, and each run takes the processor time, statements, events and
// calls that were measured for it. Rows stay for as long as the product keeps them. The peak is that of the first day of a month, on which
// more subscriptions renew than on other days. A plan is for the whole product, and everything in it grows with the number of users.
import { days, hours, inSeconds } from '@shortlist/contracts/durations';
import {
  LEDGER_DAYS,
  SESSION_IDLE_SECONDS,
  SIGN_IN_DAYS,
  SIGN_INS_OF_ACCOUNT_MAX,
  WEBHOOK_LOG_DAYS,
} from '@shortlist/contracts/limits';

export const ACTIONS = [
  'log-in',
  'sign-up',
  'session check',
  'reading the credits',
  'charge',
  'first payment',
  'renewal',
  'cancellation',
] as const;
export type ActionName = (typeof ACTIONS)[number];
/** Runs of each action. */
export type Rates = Record<ActionName, number>;

export const SERVICES = ['bff', 'identity', 'profile', 'billing', 'credits', 'worker'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** How the users behave. Shares are from 0 to 1, and a month has 30 days. */
export type Usage = {
  users: number;
  premiumShare: number;
  logInsPerUserAndDay: number;
  /** Credits are charged one at a time. */
  chargesPerUserAndDay: number;
  /** The busiest hour compared with an average one. */
  peakFactor: number;
  /** New users a month, as a share of all. */
  signUpShare: number;
  /** Subscriptions that end in a month, as a share of all. */
  churnShare: number;
  /** Session checks, and as many reads of the credits, of a log-in. */
  readsPerLogIn: number;
  /** The share of a month's renewals that is due on its first day. */
  firstDayShare: number;
  /** For how long the product has run: what is kept for good adds up. */
  months: number;
  stripeCallsPerSecond: number;
  /** What a hash takes on the planned processors; null: as on the measured machine. */
  hashMs: number | null;
};

type Origin = { measuredAt: string; machine: string; source: string };

/** What one run of an action does besides using the processor. */
export type ActionWork = {
  /** Statements of all databases, and those among them that write rows. */
  statements: number;
  writes: number;
  redisCommands: number;
  events: number;
  eventBytes: number;
  stripeCalls: number;
  /** Rows that it adds, by table. */
  rows: Record<string, number>;
};

export const CEILINGS = [
  'chargesPerSecond',
  'ledgerRowsTried',
  'consumedEventsPerSecond',
  'relayedEventsPerSecond',
  'mailsPerSecond',
  'listedUsersTried',
  'listMemoryMegabytes',
] as const;
export type CeilingName = (typeof CEILINGS)[number];

export type Measured = {
  /** `msOfAction`: milliseconds of processor time by action and process; servers count as processes. */
  processor: Origin & {
    hashMs: number;
    coresAtRest: Record<string, number>;
    msOfAction: Record<ActionName, Record<string, number>>;
  };
  work: Origin & { ofAction: Record<ActionName, ActionWork> };
  /** `bytesPerRow`: data and indexes, by table. */
  sizes: Origin & { bytesPerRow: Record<string, number>; sessionBytes: number };
  ceilings: Record<CeilingName, Origin & { value: number }>;
};

/** What the Kubernetes chart and the packages set. */
export type Deployment = {
  replicas: number;
  memoryLimitBytes: Record<ServiceName, number>;
  databasePool: number;
  databaseConnections: number;
  /** Days for which events stay in outboxes and topics, and the ids of those that were handled in inboxes. */
  eventDays: number;
  inboxDays: number;
};

export type Basis = { measured: Measured; deployment: Deployment };

export type Plan = {
  users: number;
  /** Runs a second at the peak. */
  peakPerSecond: Rates;
  /** Processor cores at the peak, by process or server. */
  cores: Record<string, number>;
  /** Processes that serve requests, and those of all services that only relay and consume events. */
  processes: Record<ServiceName, number>;
  eventProcesses: number;
  database: {
    bytes: number;
    memoryBytes: number;
    ledgerRows: number;
    statementsPerSecond: number;
    writesPerSecond: number;
    connections: number;
  };
  kafka: { eventsPerSecond: number; bytesPerSecond: number; partitions: number; storedBytes: number };
  redis: { sessions: number; memoryBytes: number; commandsPerSecond: number };
  stripe: { callsPerSecond: number; callsOnFirstDay: number; hoursOnFirstDay: number };
  mailsPerSecond: number;
};

const SECONDS_PER_HOUR = inSeconds(hours(1));
const SECONDS_PER_DAY = inSeconds(days(1));
const DAYS_PER_MONTH = 30;

/** The share of a core that a process uses at the peak, as `cpuPercent` of the chart: the rest is for moments of more load. */
export const TARGET_UTILIZATION = 0.7;

/** Services of which the chart has workloads that relay and consume events, apart from those that serve requests. */
const EVENT_SERVICES: readonly string[] = ['identity', 'profile', 'billing', 'credits'];

/** The default of KAFKA_PARTITIONS. */
const PARTITIONS_MIN = 6;

/** What a server takes without any data. */
const DATABASE_MEMORY_MIN_BYTES = 1024 ** 3;
const REDIS_MEMORY_MIN_BYTES = 64 * 1024 ** 2;

/** Days after which rows are deleted (docs/reliability.md, "What requests can grow"). Other tables keep them. */
const RETENTION_DAYS: Record<string, number> = {
  'identity.sign_ins': SIGN_IN_DAYS,
  'identity.registrations': 1,
  'billing.stripe_events': 30,
  'credits.contacts': 31,
  'credits.ledger': LEDGER_DAYS,
  'credits.ledger_parts': LEDGER_DAYS,
  'credits.reservations': LEDGER_DAYS,
  'worker.webhook_messages': WEBHOOK_LOG_DAYS,
  'worker.webhook_deliveries': WEBHOOK_LOG_DAYS,
};

const mapRates = (of: (action: ActionName) => number): Rates =>
  Object.fromEntries(ACTIONS.map((action) => [action, of(action)])) as Rates;

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** Returns how often each action happens on an average day. */
export const dailyRates = (usage: Usage): Rates => {
  const { users, premiumShare, signUpShare, churnShare, readsPerLogIn } = usage;
  const payers = users * premiumShare;
  const logIns = users * usage.logInsPerUserAndDay;
  return {
    'log-in': logIns,
    'sign-up': (users * signUpShare) / DAYS_PER_MONTH,
    'session check': logIns * readsPerLogIn,
    'reading the credits': logIns * readsPerLogIn,
    charge: users * usage.chargesPerUserAndDay,
    // Subscriptions grow as the users do, and those that end are replaced.
    'first payment': (payers * (signUpShare + churnShare)) / DAYS_PER_MONTH,
    renewal: (payers * (1 - churnShare)) / DAYS_PER_MONTH,
    cancellation: (payers * churnShare) / DAYS_PER_MONTH,
  };
};

/** Returns how often each action happens on the first day of a month. */
const firstDayRates = (usage: Usage): Rates => {
  const daily = dailyRates(usage);
  return { ...daily, renewal: daily.renewal * Math.max(1, usage.firstDayShare * DAYS_PER_MONTH) };
};

/** Returns the runs of each action a second, in the busiest hour of the first day of a month. */
export const peakRates = (usage: Usage): Rates => {
  const rates = firstDayRates(usage);
  return mapRates((action) => (rates[action] * usage.peakFactor) / SECONDS_PER_DAY);
};

/** Returns the cores that each process takes for these runs a second, without what it takes at rest. */
export const busyCores = (
  perSecond: Partial<Rates>,
  { msOfAction }: Pick<Measured['processor'], 'msOfAction'>,
): Record<string, number> => {
  const cores: Record<string, number> = {};
  for (const action of ACTIONS)
    for (const [process, ms] of Object.entries(msOfAction[action]))
      cores[process] = (cores[process] ?? 0) + ((perSecond[action] ?? 0) * ms) / 1_000;
  return cores;
};

/** The runs whose rows are still there. `keptDays`: undefined for a table that keeps its rows. */
const runsKept = (usage: Usage, action: ActionName, keptDays: number | undefined): number => {
  const horizonDays = usage.months * DAYS_PER_MONTH;
  const daily = dailyRates(usage)[action];
  if (keptDays !== undefined) return daily * Math.min(keptDays, horizonDays);
  const { users, premiumShare, churnShare, months } = usage;
  if (action === 'sign-up') return users;
  // Every subscriber of now, and those whose subscriptions have ended.
  if (action === 'first payment') return users * premiumShare * (1 + churnShare * months);
  return daily * horizonDays;
};

/** Returns the rows of each table. */
export const rowsByTable = (usage: Usage, { measured, deployment }: Basis): Record<string, number> => {
  const { ofAction } = measured.work;
  // Each database has a table of these names.
  const daysOfName: Record<string, number> = {
    outbox: deployment.eventDays,
    inbox: deployment.inboxDays,
    ended_rights: 1,
  };
  const rows: Record<string, number> = {};
  for (const action of ACTIONS)
    for (const [table, perRun] of Object.entries(ofAction[action].rows)) {
      const keptDays = RETENTION_DAYS[table] ?? daysOfName[table.split('.')[1] ?? ''];
      rows[table] = (rows[table] ?? 0) + perRun * runsKept(usage, action, keptDays);
    }
  const { users, premiumShare, months } = usage;
  const signIns = 'identity.sign_ins';
  rows[signIns] = Math.min(rows[signIns] ?? 0, users * SIGN_INS_OF_ACCOUNT_MAX);
  // A free user gets new credits every month; those of a subscriber come with the payment.
  const buckets = 'credits.credit_buckets';
  rows[buckets] = (rows[buckets] ?? 0) + users * (1 - premiumShare) * months;
  return rows;
};

const bytesOf = (
  rows: Record<string, number>,
  { bytesPerRow }: Pick<Measured['sizes'], 'bytesPerRow'>,
): number =>
  sum(
    Object.entries(rows).map(([table, count]) => {
      const bytes = bytesPerRow[table];
      if (bytes === undefined) throw new Error(`the size of a row of ${table} was not measured`);
      return count * bytes;
    }),
  );

/** Sums what the runs of all actions do. */
const sumWork = (
  rates: Rates,
  { ofAction }: Pick<Measured['work'], 'ofAction'>,
  of: (work: ActionWork) => number,
): number => sum(ACTIONS.map((action) => rates[action] * of(ofAction[action])));

type Processes = Pick<Plan, 'processes' | 'eventProcesses'>;

const planDatabase = (
  usage: Usage,
  { measured, deployment }: Basis,
  { processes, eventProcesses }: Processes,
): Plan['database'] => {
  const { work, sizes, ceilings } = measured;
  const peak = peakRates(usage);
  const rows = rowsByTable(usage, { measured, deployment });
  const withDatabase = SERVICES.filter((service) => service !== 'bff');
  // Each workload has a pod more during a rolling update.
  const pods =
    sum(withDatabase.map((service) => processes[service] + 1)) + eventProcesses + EVENT_SERVICES.length;
  const listMemoryBytes =
    (usage.users / ceilings.listedUsersTried.value) * ceilings.listMemoryMegabytes.value * 1024 ** 2;
  return {
    bytes: bytesOf(rows, sizes),
    memoryBytes: Math.max(DATABASE_MEMORY_MIN_BYTES, listMemoryBytes),
    ledgerRows: rows['credits.ledger'] ?? 0,
    statementsPerSecond: sumWork(peak, work, ({ statements }) => statements),
    writesPerSecond: sumWork(peak, work, ({ writes }) => writes),
    connections: pods * deployment.databasePool,
  };
};

const planKafka = (
  usage: Usage,
  { measured, deployment }: Basis,
  { processes, eventProcesses }: Processes,
): Plan['kafka'] => {
  const { work } = measured;
  const [peak, daily] = [peakRates(usage), dailyRates(usage)];
  // A partition is consumed by one process of a consumer. Live updates need none of their own: every process of bff reads all partitions.
  const consumers = Math.max(eventProcesses / EVENT_SERVICES.length, processes.worker);
  return {
    eventsPerSecond: sumWork(peak, work, ({ events }) => events),
    bytesPerSecond: sumWork(peak, work, ({ eventBytes }) => eventBytes),
    partitions: Math.max(PARTITIONS_MIN, consumers),
    storedBytes: deployment.eventDays * sumWork(daily, work, ({ eventBytes }) => eventBytes),
  };
};

const planRedis = (usage: Usage, { work, sizes }: Measured) => {
  const peak = peakRates(usage);
  // A session ends after this time without use; one that is used longer belongs to the same log-in.
  const sessions = Math.min(peak['log-in'] * SESSION_IDLE_SECONDS, dailyRates(usage)['log-in']);
  return {
    sessions,
    memoryBytes: REDIS_MEMORY_MIN_BYTES + sessions * sizes.sessionBytes,
    commandsPerSecond: sumWork(peak, work, ({ redisCommands }) => redisCommands),
  };
};

const planStripe = (usage: Usage, { work }: Measured) => {
  const callsOnFirstDay = sumWork(firstDayRates(usage), work, ({ stripeCalls }) => stripeCalls);
  return {
    callsPerSecond: sumWork(peakRates(usage), work, ({ stripeCalls }) => stripeCalls),
    callsOnFirstDay,
    hoursOnFirstDay: callsOnFirstDay / usage.stripeCallsPerSecond / SECONDS_PER_HOUR,
  };
};

/** As many processes as keep each below the target, and at least those of the chart. `busy`: cores by process. */
const planProcesses = (
  usage: Usage,
  { measured, deployment: { replicas } }: Basis,
  { busy, slowness }: { busy: Record<string, number>; slowness: number },
): Processes => {
  const { work, ceilings } = measured;
  const eventsPerSecond = sumWork(peakRates(usage), work, ({ events }) => events);
  const ofEvents = eventsPerSecond / ceilings.consumedEventsPerSecond.value;
  const atTarget = (load: number): number => Math.max(replicas, Math.ceil(load / TARGET_UTILIZATION));
  return {
    processes: Object.fromEntries(
      SERVICES.map((service) => [service, atTarget((busy[service] ?? 0) * slowness)]),
    ) as Plan['processes'],
    eventProcesses: EVENT_SERVICES.length * atTarget(ofEvents),
  };
};

/** Returns what these users need. Throws when the size of a table's rows was not measured. */
export const planFor = (usage: Usage, basis: Basis): Plan => {
  const { measured } = basis;
  const { processor, work } = measured;
  const peak = peakRates(usage);
  const slowness = (usage.hashMs ?? processor.hashMs) / processor.hashMs;
  const busy = busyCores(peak, processor);
  const allProcesses = planProcesses(usage, basis, { busy, slowness });
  const { processes, eventProcesses } = allProcesses;
  const countOf = (name: string): number => {
    const requestProcesses = (processes as Record<string, number>)[name] ?? 1;
    return requestProcesses + (EVENT_SERVICES.includes(name) ? eventProcesses / EVENT_SERVICES.length : 0);
  };
  const names = new Set([...Object.keys(busy), ...Object.keys(processor.coresAtRest)]);
  const cores = Object.fromEntries(
    [...names].map((name) => [
      name,
      slowness * ((busy[name] ?? 0) + (processor.coresAtRest[name] ?? 0) * countOf(name)),
    ]),
  );
  return {
    users: usage.users,
    peakPerSecond: peak,
    cores,
    processes,
    eventProcesses,
    database: planDatabase(usage, basis, allProcesses),
    kafka: planKafka(usage, basis, allProcesses),
    redis: planRedis(usage, measured),
    stripe: planStripe(usage, measured),
    mailsPerSecond: sumWork(peak, work, ({ rows }) => rows['worker.mails'] ?? 0),
  };
};
