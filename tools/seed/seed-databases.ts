import { addressTerm, joinTerms, termsOf } from '@shortlist/profile/terms/terms.rules';
import { createConnection, type Connection } from 'mysql2/promise';
import { bulkLoad, type Cell } from './bulk-load.ts';
import { personAt, type Person } from './users.ts';

type Seeding = { adminUrl: string; count: number; now: Date; tell: (line: string) => void };
type Table = {
  name: string;
  columns: string;
  rowsOf: (person: Person, at: Seeding) => Cell[][];
  /** Rows lie by their first column, a word: those of many people are put in its order, so that each page is written seldom. */
  isByWord?: true;
};

const CHUNK = 1_000;
const CHUNK_BY_WORD = 50_000;
/** No password matches this; seeded people are looked at, not logged in. */
const NO_PASSWORD = '!';

const coverage = (person: Person, now: Date): string | null =>
  person.premiumUntil &&
  JSON.stringify({
    key: `grant:${person.id}`,
    start: now.toISOString(),
    end: person.premiumUntil.toISOString(),
    graceUntil: null,
  });

const planState = (person: Person, now: Date): string =>
  JSON.stringify({
    version: person.premiumUntil ? 1 : 0,
    paid: null,
    granted: JSON.parse(coverage(person, now) ?? 'null') as unknown,
  });

const TABLES: readonly Table[] = [
  {
    name: 'identity.accounts',
    columns: 'id, email, password_hash, role, created_at',
    rowsOf: (person) => [[person.id, person.email, NO_PASSWORD, 'user', person.createdAt]],
  },
  {
    name: 'profile.profiles',
    columns:
      'user_id, email, first_name, last_name, organization_name, type_of_organization, primary_recruiting_industry, country, city, linkedin, created_at, plan_version, premium_until, terms',
    rowsOf: (person) => [
      [
        ...[
          person.id,
          person.email,
          person.firstName,
          person.lastName,
          person.organizationName,
          person.typeOfOrganization,
        ],
        ...[person.primaryRecruitingIndustry, person.country, person.city, '', person.createdAt],
        ...[person.premiumUntil ? 1 : 0, person.premiumUntil, joinTerms(termsOf(person))],
      ],
    ],
  },
  {
    name: 'profile.directory_terms',
    columns:
      'term, user_id, email, first_name, last_name, organization_name, country, created_at, premium_until, terms',
    isByWord: true,
    rowsOf: (person) => {
      const { id, email, firstName, lastName, organizationName, country, createdAt, premiumUntil } = person;
      const terms = termsOf(person);
      const copied = [email, firstName, lastName, organizationName, country, createdAt, premiumUntil];
      return [addressTerm(email), ...terms].map((term) => [term, id, ...copied, joinTerms(terms)]);
    },
  },
  {
    name: 'billing.subscribers',
    columns: 'user_id, email, name, version, granted',
    rowsOf: (person, { now }) => [
      [
        person.id,
        person.email,
        `${person.firstName} ${person.lastName}`,
        person.premiumUntil ? 1 : 0,
        coverage(person, now),
      ],
    ],
  },
  {
    // A grant without a note of who gave it would be a breach in the auditor's eyes.
    name: 'billing.audit_log',
    columns: 'id, at, actor_id, address, action, target_id, after_state',
    rowsOf: (person, { now }) =>
      person.premiumUntil ? [[person.id, now, '', '', 'plan.grant', person.id, planState(person, now)]] : [],
  },
  {
    name: 'credits.accounts',
    columns: 'user_id, plan_version, plan_state',
    rowsOf: (person, { now }) => (person.premiumUntil ? [[person.id, 1, planState(person, now)]] : []),
  },
  {
    name: 'credits.windows',
    columns: 'user_id, source_key, plan, credit_limit, used, starts_at, ends_at',
    rowsOf: (person, { now }) =>
      person.premiumUntil
        ? [[person.id, `grant:${person.id}`, 'premium', 500, 0, now, person.premiumUntil]]
        : [],
  },
];

function* chunksOf(table: Table, seeding: Seeding): Generator<Cell[][]> {
  const chunk = table.isByWord ? CHUNK_BY_WORD : CHUNK;
  for (let from = 0; from < seeding.count; from += chunk) {
    const size = Math.min(chunk, seeding.count - from);
    const people = Array.from({ length: size }, (_, offset) => personAt(from + offset, seeding));
    const rows = people.flatMap((person) => table.rowsOf(person, seeding));
    if (table.isByWord) rows.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
    for (let at = 0; at < rows.length; at += CHUNK) yield rows.slice(at, at + CHUNK);
  }
}

const seedTable = async (db: Connection, table: Table, seeding: Seeding): Promise<void> => {
  const begun = performance.now();
  await bulkLoad(db, { table: table.name, columns: table.columns, rows: chunksOf(table, seeding) });
  seeding.tell(`${table.name.padEnd(24)} ${((performance.now() - begun) / 1000).toFixed(0)} s`);
};

const isSeeded = async (db: Connection, seeding: Seeding): Promise<boolean> => {
  const [found] = await db.query('SELECT 1 FROM identity.accounts WHERE email = ?', [
    personAt(0, seeding).email,
  ]);
  return (found as unknown[]).length > 0;
};

/** Fills the databases of a running product with people that are consistent across services; once, since it would meet itself. */
export const seedDatabases = async (seeding: Seeding): Promise<void> => {
  const db = await createConnection({ uri: seeding.adminUrl, timezone: 'Z', charset: 'utf8mb4' });
  try {
    if (await isSeeded(db, seeding)) {
      seeding.tell('There are seeded people already; `make reset` forgets them.');
      return;
    }
    // Bulk loading by the only writer: the checks that a million single inserts need would only cost time here.
    await db.query("SET SESSION time_zone = '+00:00', unique_checks = 0, foreign_key_checks = 0");
    for (const table of TABLES) await seedTable(db, table, seeding);
    await db.query('ANALYZE TABLE profile.profiles, profile.directory_terms');
  } finally {
    await db.end();
  }
};
