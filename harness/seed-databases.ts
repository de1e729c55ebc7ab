import { Readable } from 'node:stream';
import { rowTermsOf, termsOf } from '@shortlist/profile/profiles/terms.rules';
import { createConnection, type Connection } from 'mysql2/promise';
import { seedUserAt, type SeedUser } from './seed-users.ts';

type Cell = string | number | Date | null;

const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n' };

const cellText = (cell: Cell): string => {
  if (cell === null) return '\\N';
  if (cell instanceof Date) return cell.toISOString().slice(0, 23).replace('T', ' ');
  return String(cell).replace(/[\\\t\n]/g, (character) => ESCAPED[character] ?? character);
};

const lineOf = (row: readonly Cell[]): string => `${row.map(cellText).join('\t')}\n`;

type Load = { table: string; columns: string; rows: Iterable<readonly (readonly Cell[])[]> };

/** Streams rows into a table with LOAD DATA, with one chunk in memory at a time. */
export const bulkLoad = async (db: Connection, { table, columns, rows }: Load): Promise<void> => {
  const text = function* (): Generator<string> {
    for (const chunk of rows) yield chunk.map(lineOf).join('');
  };
  await db.query({
    sql: `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${table} CHARACTER SET utf8mb4 (${columns})`,
    infileStreamFactory: () => Readable.from(text(), { objectMode: false }),
  });
};

type SeedOptions = { adminUrl: string; count: number; now: Date; print: (line: string) => void };
type Table = {
  name: string;
  columns: string;
  rowsOf: (user: SeedUser, options: SeedOptions) => Cell[][];
  /** The primary key begins with the search term: the rows of many users are sorted by it, so that each page is written rarely. */
  isByTerm?: true;
};

const CHUNK = 1_000;
const CHUNK_BY_TERM = 50_000;
/** No password matches this hash: seeded users cannot log in. */
const NO_PASSWORD = '!';

const coverage = (user: SeedUser, now: Date): string | null =>
  user.premiumUntil &&
  JSON.stringify({
    key: `grant:${user.id}`,
    start: now.toISOString(),
    end: user.premiumUntil.toISOString(),
    graceUntil: null,
  });

const planState = (user: SeedUser, now: Date): string =>
  JSON.stringify({
    version: user.premiumUntil ? 1 : 0,
    paid: null,
    granted: JSON.parse(coverage(user, now) ?? 'null') as unknown,
  });

const TABLES: readonly Table[] = [
  {
    name: 'identity.accounts',
    columns: 'id, email, password_hash, role, created_at',
    rowsOf: (user) => [[user.id, user.email, NO_PASSWORD, 'user', user.createdAt]],
  },
  {
    name: 'profile.profiles',
    columns:
      'user_id, email, first_name, last_name, organization_name, type_of_organization, primary_recruiting_industry, country, city, linkedin, created_at, plan_version, premium_until, terms',
    rowsOf: (user) => [
      [
        user.id,
        user.email,
        user.firstName,
        user.lastName,
        user.organizationName,
        user.typeOfOrganization,
        user.primaryRecruitingIndustry,
        user.country,
        user.city,
        '',
        user.createdAt,
        user.premiumUntil ? 1 : 0,
        user.premiumUntil,
        termsOf(user),
      ],
    ],
  },
  {
    name: 'profile.directory_terms',
    columns:
      'term, user_id, email, first_name, last_name, organization_name, country, created_at, premium_until, terms',
    isByTerm: true,
    rowsOf: (user) => {
      const { id, email, firstName, lastName, organizationName, country, createdAt, premiumUntil } = user;
      const terms = termsOf(user);
      const copied = [email, firstName, lastName, organizationName, country, createdAt, premiumUntil];
      return rowTermsOf({ email, terms }).map((term) => [term, id, ...copied, terms]);
    },
  },
  {
    name: 'billing.subscribers',
    columns: 'user_id, email, name, version, granted, plan_ends_at',
    rowsOf: (user, { now }) => [
      [
        user.id,
        user.email,
        `${user.firstName} ${user.lastName}`,
        user.premiumUntil ? 1 : 0,
        coverage(user, now),
        user.premiumUntil,
      ],
    ],
  },
  {
    // `verify` reports a grant without an audit entry as a breach.
    name: 'billing.audit_log',
    columns: 'id, at, actor_id, address, action, target_id, after_state',
    rowsOf: (user, { now }) =>
      user.premiumUntil ? [[user.id, now, '', '', 'plan.grant', user.id, planState(user, now)]] : [],
  },
  {
    name: 'credits.accounts',
    columns: 'user_id, plan_version, plan_state',
    rowsOf: (user, { now }) => (user.premiumUntil ? [[user.id, 1, planState(user, now)]] : []),
  },
  {
    name: 'credits.credit_buckets',
    columns: 'user_id, source_key, plan, credit_limit, usable, used, starts_at, ends_at',
    rowsOf: (user, { now }) =>
      user.premiumUntil
        ? [[user.id, `grant:${user.id}`, 'premium', 500, 500, 0, now, user.premiumUntil]]
        : [],
  },
];

function* chunksOf(table: Table, options: SeedOptions): Generator<Cell[][]> {
  const chunk = table.isByTerm ? CHUNK_BY_TERM : CHUNK;
  for (let from = 0; from < options.count; from += chunk) {
    const size = Math.min(chunk, options.count - from);
    const users = Array.from({ length: size }, (_, offset) => seedUserAt(from + offset, options));
    const rows = users.flatMap((user) => table.rowsOf(user, options));
    if (table.isByTerm) rows.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    for (let start = 0; start < rows.length; start += CHUNK) yield rows.slice(start, start + CHUNK);
  }
}

const seedTable = async (db: Connection, table: Table, options: SeedOptions): Promise<void> => {
  const startedAt = performance.now();
  await bulkLoad(db, { table: table.name, columns: table.columns, rows: chunksOf(table, options) });
  options.print(`${table.name.padEnd(24)} ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
};

const isSeeded = async (db: Connection, options: SeedOptions): Promise<boolean> => {
  const [rows] = await db.query('SELECT 1 FROM identity.accounts WHERE email = ?', [
    seedUserAt(0, options).email,
  ]);
  return (rows as unknown[]).length > 0;
};

/** Fills the databases of a running product with users, consistent across services. Does nothing when there are seeded users. */
export const seedDatabases = async (options: SeedOptions): Promise<void> => {
  const db = await createConnection({ uri: options.adminUrl, timezone: 'Z', charset: 'utf8mb4' });
  try {
    if (await isSeeded(db, options)) {
      options.print('there are seeded users already; `make reset` deletes them');
      return;
    }
    // The data is valid and there is no other writer, so the checks would only cost time.
    await db.query("SET SESSION time_zone = '+00:00', unique_checks = 0, foreign_key_checks = 0");
    for (const table of TABLES) await seedTable(db, table, options);
    await db.query('ANALYZE TABLE profile.profiles, profile.directory_terms');
  } finally {
    await db.end();
  }
};
