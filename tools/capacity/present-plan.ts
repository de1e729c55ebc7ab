// The plans as a table with a column for each number of users, and the limits below it.
import { ACTIONS, type Measured, type Plan, SERVICES } from './capacity.rules.ts';
import type { MonthlyCost, Prices } from './cost.rules.ts';
import type { ReachedLimit } from './limits.rules.ts';

export type PricedPlan = { plan: Plan; cost: MonthlyCost };

const LABEL_WIDTH = 38;
const COLUMN_WIDTH = 15;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Rounds to three digits, or to a whole number where there are more. */
const count = (value: number): string =>
  Number(value >= 100 ? value.toFixed(0) : value.toPrecision(2)).toLocaleString('en', {
    maximumFractionDigits: 6,
  });

const bytes = (value: number): string => {
  const unit = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(value) / Math.log(1024)));
  return `${(value / 1024 ** unit).toFixed(unit < 2 ? 0 : 1)} ${UNITS[unit]}`;
};

const line = (label: string, values: readonly string[]): string =>
  `${label.padEnd(LABEL_WIDTH)}${values.map((value) => value.padStart(COLUMN_WIDTH)).join('')}`;

type Row = [label: string, of: (priced: PricedPlan) => string];

const SERVERS = ['MariaDB', 'Redis', 'Kafka'];

const sectionsOf = (currency: string): [title: string, rows: Row[]][] => [
  [
    'Actions a second at the peak',
    ACTIONS.map((action): Row => [action, ({ plan }) => count(plan.peakPerSecond[action])]),
  ],
  [
    'Processes, and cores at the peak',
    [
      ...SERVICES.map((service): Row => [
        service,
        ({ plan }) => `${count(plan.processes[service])}, ${(plan.cores[service] ?? 0).toFixed(2)}`,
      ]),
      ['of events, within the cores above', ({ plan }) => count(plan.eventProcesses)],
      ...SERVERS.map((server): Row => [server, ({ plan }) => (plan.cores[server] ?? 0).toFixed(2)]),
    ],
  ],
  [
    'Databases',
    [
      ['size', ({ plan }) => bytes(plan.database.bytes)],
      ['rows of the ledger', ({ plan }) => count(plan.database.ledgerRows)],
      ['memory for pages', ({ plan }) => bytes(plan.database.memoryBytes)],
      ['statements a second', ({ plan }) => count(plan.database.statementsPerSecond)],
      ['writes a second', ({ plan }) => count(plan.database.writesPerSecond)],
      ['connections during an update', ({ plan }) => count(plan.database.connections)],
    ],
  ],
  [
    'Kafka',
    [
      ['events a second', ({ plan }) => count(plan.kafka.eventsPerSecond)],
      ['bytes a second', ({ plan }) => bytes(plan.kafka.bytesPerSecond)],
      ['partitions of a topic', ({ plan }) => count(plan.kafka.partitions)],
      ['stored', ({ plan }) => bytes(plan.kafka.storedBytes)],
    ],
  ],
  [
    'Redis',
    [
      ['sessions', ({ plan }) => count(plan.redis.sessions)],
      ['memory', ({ plan }) => bytes(plan.redis.memoryBytes)],
      ['commands a second', ({ plan }) => count(plan.redis.commandsPerSecond)],
    ],
  ],
  [
    'Stripe, on the first day of a month',
    [
      ['calls', ({ plan }) => count(plan.stripe.callsOnFirstDay)],
      ['hours at the limit', ({ plan }) => plan.stripe.hoursOnFirstDay.toFixed(1)],
      ['calls a second at the peak', ({ plan }) => count(plan.stripe.callsPerSecond)],
    ],
  ],
  [
    `Cost a month in ${currency}`,
    (['cores', 'memory', 'storage', 'mails', 'total'] as const).map((part): Row => [
      part,
      ({ cost }) => Math.round(cost[part]).toLocaleString('en'),
    ]),
  ],
];

/** Returns the lines of the table. */
export const presentPlans = (plans: readonly PricedPlan[], { currency, note }: Prices): string[] => {
  const users = plans.map(({ plan }) => plan.users.toLocaleString('en'));
  const sections = sectionsOf(currency).flatMap(([title, rows]) => [
    '',
    title,
    ...rows.map(([label, of]) => line(`  ${label}`, plans.map(of))),
  ]);
  return [line('Users', users), ...sections, `  ${note}`];
};

/** Returns a line for each limit with what to do about it. */
export const presentLimits = (limits: readonly ReachedLimit[]): string[] => [
  'Limits, the first one first',
  ...limits.flatMap(({ name, kind, ceiling, users, remedy }) => {
    const reached = Number.isFinite(users) ? `${users.toLocaleString('en')} users` : 'never';
    return [`  ${reached}: ${count(ceiling)} ${name} (${kind})`, `      ${remedy}`];
  }),
];

/** Returns where the inputs come from. */
export const presentOrigins = ({ processor, work, sizes }: Measured): string[] => [
  'Measured inputs (tools/capacity/measured.json)',
  ...Object.entries({ 'processor time': processor, work, sizes }).map(
    ([name, { measuredAt, machine, source }]) => `  ${name}: ${measuredAt}, ${machine}; ${source}`,
  ),
];
