import { days, hours, inSeconds } from '@shortlist/contracts/durations';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgumentError, readUsages } from './arguments.rules.ts';
import {
  ACTIONS,
  type ActionWork,
  type Basis,
  busyCores,
  type CeilingName,
  CEILINGS,
  dailyRates,
  type Measured,
  peakRates,
  type Plan,
  planFor,
  rowsByTable,
  type Usage,
} from './capacity.rules.ts';
import { monthlyCost, type Prices } from './cost.rules.ts';
import { limitsInOrder } from './limits.rules.ts';
import { readMeasured } from './measured.ts';
import { readDeployment, readPrices } from './settings.ts';

const ORIGIN = { measuredAt: '2026-11-29', machine: 'a test', source: 'by hand' };
const GIGABYTE = 1024 ** 3;
/** As many users, so that an action that each does once a day happens once a second. */
const DAY = inSeconds(days(1));

const noWork: ActionWork = {
  statements: 0,
  writes: 0,
  redisCommands: 0,
  events: 0,
  eventBytes: 0,
  stripeCalls: 0,
  rows: {},
};

const workOf = (change: Partial<Measured['work']['ofAction']>): Measured['work'] => ({
  ...ORIGIN,
  ofAction: {
    ...(Object.fromEntries(ACTIONS.map((action) => [action, noWork])) as Measured['work']['ofAction']),
    ...change,
  },
});

const ceilingsOf = (change: Partial<Record<CeilingName, number>>): Measured['ceilings'] =>
  Object.fromEntries(
    CEILINGS.map((name) => [name, { ...ORIGIN, value: change[name] ?? 10 ** 15 }]),
  ) as Measured['ceilings'];

/** Round numbers, by which results can be computed in the head. */
const measuredWith = (ceilings: Partial<Record<CeilingName, number>> = {}): Measured => ({
  processor: {
    ...ORIGIN,
    hashMs: 20,
    coresAtRest: { bff: 0.01, MariaDB: 0.02 },
    msOfAction: {
      ...(Object.fromEntries(ACTIONS.map((action) => [action, {}])) as Measured['processor']['msOfAction']),
      'log-in': { identity: 50, bff: 10 },
      charge: { credits: 10, bff: 5, MariaDB: 4 },
    },
  },
  work: workOf({
    'log-in': { ...noWork, statements: 4, writes: 1, redisCommands: 3, rows: { 'identity.sign_ins': 1 } },
    'sign-up': { ...noWork, rows: { 'identity.accounts': 1, 'worker.mails': 1 } },
    charge: {
      ...noWork,
      statements: 12,
      writes: 3,
      events: 1,
      eventBytes: 500,
      rows: { 'credits.ledger': 1, 'credits.outbox': 1, 'billing.inbox': 1 },
    },
    'first payment': { ...noWork, stripeCalls: 6, rows: { 'billing.subscriptions': 1 } },
    renewal: { ...noWork, stripeCalls: 3, rows: { 'billing.invoices': 1 } },
  }),
  sizes: {
    ...ORIGIN,
    bytesPerRow: {
      'identity.sign_ins': 200,
      'identity.accounts': 400,
      'worker.mails': 300,
      'credits.ledger': 100,
      'credits.outbox': 1_000,
      'billing.inbox': 100,
      'credits.credit_buckets': 200,
      'billing.subscriptions': 200,
      'billing.invoices': 500,
    },
    sessionBytes: 1_000,
  },
  ceilings: ceilingsOf(ceilings),
});

const basisWith = (
  ceilings: Partial<Record<CeilingName, number>> = {},
  databaseConnections = 10 ** 12,
): Basis => ({
  measured: measuredWith(ceilings),
  deployment: {
    replicas: 2,
    memoryLimitBytes: {
      bff: GIGABYTE,
      identity: GIGABYTE,
      profile: GIGABYTE,
      billing: GIGABYTE,
      credits: GIGABYTE,
      worker: GIGABYTE,
    },
    databasePool: 5,
    eventDays: 7,
    inboxDays: 30,
    databaseConnections,
  },
});

const USAGE: Usage = {
  users: DAY,
  premiumShare: 0.5,
  logInsPerUserAndDay: 1,
  chargesPerUserAndDay: 2,
  peakFactor: 10,
  signUpShare: 0.1,
  churnShare: 0.25,
  readsPerLogIn: 3,
  firstDayShare: 0.5,
  months: 4,
  stripeCallsPerSecond: 80,
  hashMs: null,
};

describe('the rates of actions', () => {
  it('follow from the users and what each does a day', () => {
    const rates = Object.entries(dailyRates(USAGE)).map(([action, count]) => [action, Math.round(count)]);
    expect(Object.fromEntries(rates)).toEqual({
      'log-in': DAY,
      'sign-up': 288,
      'session check': 259_200,
      'reading the credits': 259_200,
      charge: 172_800,
      'first payment': 504,
      renewal: 1_080,
      cancellation: 360,
    });
  });

  it('at the peak are those of the busiest hour', () => {
    const peak = peakRates(USAGE);
    expect(peak['log-in']).toBe(10);
    expect(peak.charge).toBe(20);
  });

  it('at the peak include the renewals of the first day of a month', () => {
    // 32,400 renewals a month, half of them on the first day.
    expect(peakRates(USAGE).renewal).toBeCloseTo((16_200 * 10) / DAY, 10);
    expect(peakRates({ ...USAGE, firstDayShare: 0 }).renewal).toBeCloseTo((1_080 * 10) / DAY, 10);
  });
});

describe('a plan', () => {
  const plan = planFor(USAGE, basisWith());

  it('sums the processor time of all actions and of the processes at rest', () => {
    expect(busyCores({ 'log-in': 10, charge: 20 }, measuredWith().processor)).toEqual({
      identity: 0.5,
      bff: 0.2,
      credits: 0.2,
      MariaDB: 0.08,
    });
    expect(plan.cores.bff).toBeCloseTo(0.2 + 2 * 0.01, 10);
    expect(plan.cores.MariaDB).toBeCloseTo(0.08 + 0.02, 10);
  });

  it('has as many processes as keep each at 70 % of a core, and at least those of the chart', () => {
    const tenfold = planFor({ ...USAGE, users: 864_000 }, basisWith());
    expect(tenfold.processes.identity).toBe(8); // 5 cores
    expect(tenfold.processes.credits).toBe(3); // 2 cores
    expect(tenfold.processes.worker).toBe(2);
  });

  it('needs half the cores on processors that hash in half the time', () => {
    const fast = planFor({ ...USAGE, hashMs: 10 }, basisWith());
    expect(fast.cores.identity).toBeCloseTo(0.25, 10);
  });

  it('keeps rows for as long as their table does', () => {
    const rows = rowsByTable(USAGE, basisWith());
    expect(rows['credits.ledger']).toBe(172_800 * 120); // since the start, four months ago
    expect(rows['credits.outbox']).toBe(172_800 * 7);
    expect(rows['billing.inbox']).toBe(172_800 * 30);
    expect(rows['identity.accounts']).toBe(DAY); // one of a user
    expect(rows['identity.sign_ins']).toBe(DAY * 50); // 90 days, at most 50 of an account
    expect(rows['billing.subscriptions']).toBe(43_200 * 2); // those of now, and four quarters that have ended
    expect(rows['credits.credit_buckets']).toBe(43_200 * 4); // of free users, each month
  });

  it('sums the bytes of all rows', () => {
    const none = { ...USAGE, logInsPerUserAndDay: 0, chargesPerUserAndDay: 0, premiumShare: 0, months: 1 };
    // Accounts, welcome mails, and a month's credits.
    expect(planFor(none, basisWith()).database.bytes).toBeCloseTo(DAY * (400 + 300 + 200), 5);
  });

  it('refuses to guess the size of a row', () => {
    const basis = basisWith();
    delete basis.measured.sizes.bytesPerRow['credits.ledger'];
    expect(() => planFor(USAGE, basis)).toThrow('the size of a row of credits.ledger was not measured');
  });

  it('sums statements, events, commands of Redis and their bytes at the peak', () => {
    expect(plan.database.statementsPerSecond).toBeCloseTo(10 * 4 + 20 * 12, 10);
    expect(plan.database.writesPerSecond).toBeCloseTo(10 + 20 * 3, 10);
    expect(plan.kafka.eventsPerSecond).toBeCloseTo(20, 10);
    expect(plan.kafka.bytesPerSecond).toBeCloseTo(10_000, 10);
    expect(plan.kafka.storedBytes).toBeCloseTo(7 * 172_800 * 500, 5);
    expect(plan.redis.commandsPerSecond).toBeCloseTo(30, 10);
  });

  it('has a partition for each process of a consumer', () => {
    expect(plan.kafka.partitions).toBe(6);
    // 20 events a second, of which a process should handle 1.4.
    const slow = planFor(USAGE, basisWith({ consumedEventsPerSecond: 2 }));
    expect(slow.eventProcesses).toBe(4 * 15);
    expect(slow.kafka.partitions).toBe(15);
  });

  it('has the sessions of the last four hours, at most those of a day', () => {
    expect(planFor({ ...USAGE, peakFactor: 3 }, basisWith()).redis.sessions).toBe(3 * 14_400);
    expect(plan.redis.sessions).toBe(DAY);
    expect(plan.redis.memoryBytes).toBe(64 * 1024 ** 2 + DAY * 1_000);
  });

  it('counts the calls to Stripe of the first day of a month', () => {
    expect(plan.stripe.callsOnFirstDay).toBeCloseTo(504 * 6 + 16_200 * 3, 5);
    expect(plan.stripe.hoursOnFirstDay).toBeCloseTo((504 * 6 + 16_200 * 3) / 80 / inSeconds(hours(1)), 10);
  });

  it('counts the database connections of all pods during an update', () => {
    // Five services and four workloads of events, each with two pods and one more.
    expect(plan.database.connections).toBe(9 * 3 * 5);
  });
});

const figuresOf = ({ cores, processes, database, kafka, redis, stripe }: Plan): number[] => [
  ...Object.values(cores),
  ...Object.values(processes),
  ...Object.values(database),
  ...Object.values(kafka),
  ...Object.values(redis),
  ...Object.values(stripe),
];

it('more users never need less of anything', () => {
  const users = fc.integer({ min: 1, max: 100_000_000 });
  fc.assert(
    fc.property(users, users, (one, other) => {
      const [few, many] = [Math.min(one, other), Math.max(one, other)].map((count) =>
        figuresOf(planFor({ ...USAGE, users: count }, basisWith())),
      );
      few?.forEach((figure, index) => expect(many?.[index]).toBeGreaterThanOrEqual(figure));
    }),
  );
});

describe('the first limit', () => {
  const firstOf = (basis: Basis, change: Partial<Usage> = {}) => {
    const [first] = limitsInOrder({ ...USAGE, ...change }, basis);
    return first && { name: first.name, users: first.users, kind: first.kind };
  };

  // A user charges 20 credits in 86,400 seconds at the peak.
  it.each([
    ['charges a second of one database', 'measured', { chargesPerSecond: 20 }, 86_401],
    ['rows of the ledger', 'tried', { ledgerRowsTried: 2_400 }, 11], // 240 of a user
    ['events a second of one consumer', 'measured', { consumedEventsPerSecond: 200 }, 864_001],
    ['events a second of one relay', 'measured', { relayedEventsPerSecond: 40 }, 172_801],
    ['mails a second of one worker', 'measured', { mailsPerSecond: 1 }, 2_592_001], // a tenth signs up in 30 days
    ['users in the directory', 'tried', { listedUsersTried: 1_000 }, 1_001],
  ] as const)('is that of the %s', (name, kind, ceilings, users) => {
    const calm = { stripeCallsPerSecond: 10_000 };
    const first = firstOf(basisWith(ceilings), calm);
    expect(first).toMatchObject({ name, kind });
    expect(Math.abs((first?.users ?? 0) - users)).toBeLessThanOrEqual(1); // rounding of rates
  });

  it('is that of the calls to Stripe', () => {
    // A user causes (504 × 6 + 16,200 × 3) / 86,400 calls on the first day.
    const first = firstOf(basisWith(), { stripeCallsPerSecond: 8 });
    expect(first).toMatchObject({ name: 'calls to Stripe a second', kind: 'setting' });
    expect(first?.users).toBe(Math.floor((8 * DAY) / 10 / ((504 * 6 + 16_200 * 3) / DAY)) + 1);
  });

  it('is that of the database connections', () => {
    // A third process of identity, at more than 1.4 cores: 50 ms of 28 log-ins a second.
    const first = firstOf(basisWith({}, 135), { stripeCallsPerSecond: 10_000 });
    expect(first).toMatchObject({ name: 'database connections', kind: 'setting' });
    expect(first?.users).toBeCloseTo(28 * 8_640, -1);
  });

  it('is named before all others, each with what to do about it', () => {
    const limits = limitsInOrder(USAGE, basisWith({ chargesPerSecond: 20, listedUsersTried: 1_000 }));
    expect(limits.map(({ users }) => users)).toEqual(
      limits.map(({ users }) => users).toSorted((one, other) => one - other),
    );
    for (const { remedy } of limits) expect(remedy).not.toBe('');
  });

  it('of what nobody does is never reached', () => {
    const limits = limitsInOrder({ ...USAGE, chargesPerUserAndDay: 0 }, basisWith());
    expect(limits.find(({ name }) => name === 'charges a second of one database')?.users).toBe(Infinity);
  });
});

it('the cost of a month is that of cores, memory, storage and mails', () => {
  const { deployment } = basisWith();
  const prices: Prices = {
    note: '',
    currency: 'USD',
    hoursPerMonth: 100,
    perCoreHour: 1,
    perMemoryGigabyteHour: 0.1,
    perDatabaseGigabyteMonth: 2,
    perKafkaGigabyteMonth: 3,
    perThousandMails: 4,
    databaseCopies: 2,
    redisCopies: 1,
    kafkaCopies: 3,
  };
  const plan = planFor(USAGE, basisWith());
  const cost = monthlyCost(
    {
      ...plan,
      cores: { bff: 1, MariaDB: 2 },
      database: { ...plan.database, bytes: 10 * GIGABYTE, memoryBytes: 4 * GIGABYTE },
      kafka: { ...plan.kafka, storedBytes: GIGABYTE },
      redis: { ...plan.redis, memoryBytes: 2 * GIGABYTE },
      mailsPerSecond: 1,
    },
    { prices, deployment, peakFactor: 10 },
  );
  expect(cost.cores).toBe(800); // (1 + 2 × 2) / 0.7, rounded up
  // Twelve processes and eight of events of a gigabyte each, databases 8, Redis 2, three brokers 6.
  expect(cost.memory).toBeCloseTo((12 + 8 + 8 + 2 + 6) * 0.1 * 100, 10);
  expect(cost.storage).toBeCloseTo(10 * 2 * 2 + 3 * 3, 10);
  expect(cost.mails).toBeCloseTo((0.1 * inSeconds(hours(1)) * 100 * 4) / 1_000, 10);
  expect(cost.total).toBeCloseTo(cost.cores + cost.memory + cost.storage + cost.mails, 10);
});

describe('the arguments', () => {
  it('without any are four numbers of users', () => {
    expect(readUsages([]).map(({ users }) => users)).toEqual([10_000, 100_000, 1_000_000, 10_000_000]);
  });

  it('replace the defaults that they name', () => {
    const [usage, ...more] = readUsages(['users=500', 'premium=0.2', 'hash=12']);
    expect(more).toEqual([]);
    expect(usage).toMatchObject({ users: 500, premiumShare: 0.2, hashMs: 12, peakFactor: 4 });
  });

  it.each([
    ['usres=5', "unknown argument 'usres=5'"],
    ['users', "unknown argument 'users'"],
    ['constructor=1', "unknown argument 'constructor=1'"],
    ['premium=10%', "premium must be a number from 0 to 1, not '10%'"],
    ['premium=1.5', "premium must be a number from 0 to 1, not '1.5'"],
    ['peak=', "peak must be a number from 1 to 24, not ''"],
    ['users=0', "users must be a number from 1 to 1000000000, not '0'"],
  ])('%s is refused with what is wrong', (word, message) => {
    expect(() => readUsages([word])).toThrow(new ArgumentError(message));
  });

  it('are refused when one is given twice', () => {
    expect(() => readUsages(['peak=2', 'peak=3'])).toThrow('peak is given twice');
  });
});

it('the measured inputs, the chart and the price list give a plan for every size', async () => {
  const [measured, deployment, prices] = await Promise.all([readMeasured(), readDeployment(), readPrices()]);
  for (const usage of readUsages([])) {
    const plan = planFor(usage, { measured, deployment });
    const { total } = monthlyCost(plan, { prices, deployment, peakFactor: usage.peakFactor });
    expect(figuresOf(plan).every((figure) => Number.isFinite(figure) && figure >= 0)).toBe(true);
    expect(total).toBeGreaterThan(0);
  }
});
