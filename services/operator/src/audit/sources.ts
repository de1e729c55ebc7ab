import type { Redis } from '@shortlist/kit/data/redis';
import type { Reader } from '@shortlist/kit/data/reader';
import type { Bus } from '@shortlist/kit/messaging/bus';

export const DATABASES = ['identity', 'profile', 'billing', 'credits', 'worker'] as const;

/** The account at the provider, and its API. */
export type Provider = { url: string; key: string };

/** The sources of the auditor, which only reads them. */
export type Sources = Record<(typeof DATABASES)[number], Reader> & {
  provider: Provider;
  /** Kafka. */
  bus: Bus;
  /** The Redis of the sessions. */
  sessions: Redis;
  /** The address of the sandbox, which knows what was mailed. */
  sandbox: string;
  now: Date;
};
export type SourceName = Exclude<keyof Sources, 'now'>;

/** A violated invariant, with the ids that show it. */
export type Breach = { invariant: string; detail: string };

/** A condition that holds at rest, by its id in docs/requirements.md, and the sources that it compares. */
export type Invariant = {
  id: string;
  about: string;
  needs: readonly SourceName[];
  find: (sources: Sources) => Promise<Breach[]>;
};

type Definition<Needs extends SourceName> = {
  id: string;
  about: string;
  needs: readonly Needs[];
  find: (sources: Pick<Sources, Needs | 'now'>) => Promise<string[]>;
};

/** Declares an invariant. `find` returns one detail for each breach and can use no other sources than `needs`. */
export const defineInvariant = <Needs extends SourceName>({
  find,
  ...rest
}: Definition<Needs>): Invariant => ({
  ...rest,
  find: async (sources) => (await find(sources)).map((detail) => ({ invariant: rest.id, detail })),
});

/** Returns the rows of `left` whose key is not among those of `right`. The two may be in different servers. */
export const withoutMatch = <Row>(
  rows: readonly Row[],
  keys: ReadonlySet<string>,
  keyOf: (row: Row) => string,
): Row[] => rows.filter((row) => !keys.has(keyOf(row)));

/** The ids that a query returns. */
export const idsOf = async (db: Reader, sql: string): Promise<Set<string>> =>
  new Set((await db.select<{ id: string }>(sql)).map(({ id }) => id));
