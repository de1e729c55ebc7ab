// The limits of the product as it is. A measured one is the most that a part of it has done; a tried one is the most that it was measured
// with, and beyond it nothing is known; a setting can be raised. The first limit is the one that the fewest users reach.
import { type Basis, type Plan, planFor, type Usage } from './capacity.rules.ts';

type Kind = 'measured' | 'tried' | 'setting';

type Limit = {
  name: string;
  kind: Kind;
  /** What the plan needs of it. */
  demand: (plan: Plan) => number;
  ceiling: (basis: Basis, usage: Usage) => number;
  remedy: string;
};

const LIMITS: readonly Limit[] = [
  {
    name: 'charges a second of one database',
    kind: 'measured',
    demand: ({ peakPerSecond }) => peakPerSecond.charge,
    ceiling: ({ measured }) => measured.ceilings.chargesPerSecond.value,
    remedy: 'Give the database of credits a server of its own with a faster disk, then divide it by user.',
  },
  {
    name: 'rows of the ledger',
    kind: 'tried',
    demand: ({ database }) => database.ledgerRows,
    ceiling: ({ measured }) => measured.ceilings.ledgerRowsTried.value,
    remedy:
      'Measure charges and the history with more rows (ROWS=… make bench b=ledger); where they slow down, lower LEDGER_DAYS or divide the database of credits by user.',
  },
  {
    name: 'events a second of one consumer',
    kind: 'measured',
    demand: ({ kafka }) => kafka.eventsPerSecond,
    ceiling: ({ measured }) => measured.ceilings.consumedEventsPerSecond.value,
    remedy: 'Run more processes of the workloads with events, and raise KAFKA_PARTITIONS to their number.',
  },
  {
    name: 'events a second of one relay',
    kind: 'measured',
    demand: ({ kafka }) => kafka.eventsPerSecond,
    ceiling: ({ measured }) => measured.ceilings.relayedEventsPerSecond.value,
    remedy: 'Divide the database that emits the most events by user: each database has a relay of its own.',
  },
  {
    name: 'mails a second of one worker',
    kind: 'measured',
    demand: ({ mailsPerSecond }) => mailsPerSecond,
    ceiling: ({ measured }) => measured.ceilings.mailsPerSecond.value,
    remedy: 'Run more processes of worker, and agree on the rate with the mail provider.',
  },
  {
    name: 'users in the directory',
    kind: 'tried',
    demand: ({ users }) => users,
    ceiling: ({ measured }) => measured.ceilings.listedUsersTried.value,
    remedy:
      'Measure the directory with more users (USERS=… make bench b=directory) and more database memory.',
  },
  {
    name: 'calls to Stripe a second',
    kind: 'setting',
    demand: ({ stripe }) => stripe.callsPerSecond,
    ceiling: (_basis, { stripeCallsPerSecond }) => stripeCallsPerSecond,
    remedy:
      'Ask Stripe for a higher limit and raise STRIPE_CALLS_PER_SECOND; until then renewals wait within their days of grace.',
  },
  {
    name: 'database connections',
    kind: 'setting',
    demand: ({ database }) => database.connections,
    ceiling: ({ deployment }) => deployment.databaseConnections,
    remedy:
      'Raise max_connections of the server and databaseConnections of the chart, or give services servers of their own.',
  },
];

export type ReachedLimit = Pick<Limit, 'name' | 'kind' | 'remedy'> & {
  ceiling: number;
  /** The fewest users who reach it; infinite when no number does. */
  users: number;
};

/** More users than anyone can have. */
const USERS_MAX = 10 ** 11;

/** The fewest users with whom the demand is above the ceiling; demands grow with the users. */
const usersAt = (limit: Limit, usage: Usage, basis: Basis): number => {
  const isReached = (users: number): boolean =>
    limit.demand(planFor({ ...usage, users }, basis)) > limit.ceiling(basis, usage);
  if (!isReached(USERS_MAX)) return Infinity;
  let [below, above] = [0, USERS_MAX];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (isReached(middle)) above = middle;
    else below = middle;
  }
  return above;
};

/** Returns every limit with the number of users who reach it, the first one first. */
export const limitsInOrder = (usage: Usage, basis: Basis): ReachedLimit[] =>
  LIMITS.map((limit) => ({
    name: limit.name,
    kind: limit.kind,
    remedy: limit.remedy,
    ceiling: limit.ceiling(basis, usage),
    users: usersAt(limit, usage, basis),
  })).toSorted((one, other) => one.users - other.users);
