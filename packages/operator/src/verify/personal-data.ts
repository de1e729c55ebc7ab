import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { days } from '@shortlist/contracts/durations';
import type { Reader } from '@shortlist/kit/data/reader';
import { EVENT_DAYS } from '@shortlist/kit/messaging/bus';
import { addressesOf, leftovers, type TextRow, type TextTable } from './personal-data.rules.ts';
import { DATABASES, defineInvariant } from './sources.ts';

type Column = {
  tableName: string;
  columnName: string;
  type: string;
  characterSet: string | null;
  isKey: number;
};

const TEXT_TYPES = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json']);
/** The columns with the account of a row, by precedence; a message key is the user of an event. */
const OWNER_COLUMNS = ['user_id', 'account_id', 'target_id', 'message_key'];
/** The tables whose own ids these columns refer to. */
const OWN_IDS = new Set(['accounts', 'admin_invitations']);

const ownerOf = (name: string, columns: Column[]): string | null => {
  const owner = OWNER_COLUMNS.find((candidate) => columns.some(({ columnName }) => columnName === candidate));
  return owner ?? (OWN_IDS.has(name) ? 'id' : null);
};

/** Every table with text columns, found in the database's schema, so that new tables are searched too. */
const listTextTables = async (db: Reader): Promise<TextTable[]> => {
  const columns = await db.select<Column>(
    `SELECT table_name AS tableName, column_name AS columnName, data_type AS type,
       character_set_name AS characterSet, column_key = 'PRI' AS isKey
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND table_name <> 'migrations'
     ORDER BY table_name, ordinal_position`,
  );
  const groups = Map.groupBy(columns, ({ tableName }) => tableName);
  return [...groups].flatMap(([name, ofTable]) => {
    const texts = ofTable.filter(({ type }) => TEXT_TYPES.has(type));
    if (texts.length === 0) return [];
    return [
      {
        name,
        key: ofTable.filter(({ isKey }) => Number(isKey) === 1).map(({ columnName }) => columnName),
        owner: ownerOf(name, ofTable),
        columns: texts.map(({ columnName }) => columnName),
        written: texts
          .filter(({ characterSet }) => characterSet !== 'ascii')
          .map(({ columnName }) => columnName),
      },
    ];
  });
};

const CHUNK = 500;
/** The most breaches reported per table. */
const REPORTED = 100;

type RawRow = Record<string, unknown>;

const quoted = (name: string): string => `\`${name}\``;

/** An entry about the product is about nobody: it may have texts, but no address of somebody without an account. */
const personIn = (owner: string | null): string | null => (owner === SYSTEM_ACTOR_ID ? null : owner);

/** Reads the rows of a table in chunks, so that neither side has all of it in memory. */
async function* readChunks(db: Reader, table: TextTable): AsyncGenerator<TextRow[]> {
  const names = [...new Set([...table.key, ...table.columns, ...(table.owner ? [table.owner] : [])])];
  // Without an owner, only an address can be recognised.
  const where = table.columns.map((column) => `${quoted(column)} LIKE '%@%'`).join(' OR ');
  const sql = `SELECT ${names.map(quoted).join(', ')} FROM ${quoted(table.name)}${table.owner ? '' : ` WHERE ${where}`}`;
  let chunk: TextRow[] = [];
  for await (const row of db.stream<RawRow>(sql)) {
    chunk.push({
      key: table.key.map((column) => String(row[column])).join(' '),
      owner: table.owner && personIn(row[table.owner] as string | null),
      texts: Object.fromEntries(table.columns.map((column) => [column, row[column] as string | null])),
    });
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * The ids whose rows may contain anything: accounts, unconfirmed sign-ups, and those that the audit log keeps naming: people who had access to
 * the panel or were invited to it, and connected apps, which are not people.
 */
const OWNERS = `SELECT id AS value FROM accounts WHERE id IN (?)
  UNION SELECT id FROM registrations WHERE id IN (?)
  UNION SELECT id FROM admin_invitations WHERE id IN (?)
  UNION SELECT id FROM tools WHERE id IN (?)
  UNION SELECT target_id FROM audit_log WHERE target_id IN (?) AND action LIKE 'team.%'`;

/** A sign-up may still be unconfirmed when the account with the same email is deleted: it may be another person's. */
const ADDRESSES = `SELECT email AS value FROM accounts WHERE email IN (?)
  UNION SELECT email FROM registrations WHERE email IN (?)
  UNION SELECT email FROM admin_invitations WHERE email IN (?)
  UNION SELECT old_email FROM email_changes WHERE old_email IN (?)
  UNION SELECT new_email FROM email_changes WHERE new_email IN (?)`;

/** The values among these that a statement finds; each of its parameters is the list. */
const findAmong = async (db: Reader, sql: string, values: readonly string[]): Promise<Set<string>> => {
  if (values.length === 0) return new Set();
  const parameters = (sql.match(/\?/g) ?? []).map(() => values);
  const rows = await db.select<{ value: string }>(sql, parameters);
  return new Set(rows.map(({ value }) => value));
};

const nameOf = (table: TextTable, { key, owner }: TextRow): string =>
  `${table.name} ${key}${owner === null || key.includes(owner) ? '' : ` of ${owner}`}`;

/** Details contain tables, columns, keys and ids of users, but no content. */
const findInChunk = async (
  identity: Reader,
  table: TextTable,
  chunk: readonly TextRow[],
): Promise<string[]> => {
  const owned = chunk.map(({ owner }) => owner).filter((owner) => owner !== null);
  const owners = await findAmong(identity, OWNERS, [...new Set(owned)]);
  const ownerless = chunk.filter(({ owner }) => owner === null || !owners.has(owner));
  const known = await findAmong(identity, ADDRESSES, [
    ...new Set(ownerless.flatMap((row) => addressesOf(table, row))),
  ]);
  return ownerless.flatMap((row) => {
    const columns = row.owner === null ? [] : leftovers(table, row);
    const isOfNoAccount = addressesOf(table, row).some((address) => !known.has(address));
    return [
      ...columns.map((column) => `${nameOf(table, row)} has a text in ${column}, and no account`),
      ...(isOfNoAccount ? [`${nameOf(table, row)} has an address of no account`] : []),
    ];
  });
};

const findInTable = async (identity: Reader, db: Reader, table: TextTable): Promise<string[]> => {
  const found: string[] = [];
  for await (const chunk of readChunks(db, table)) {
    found.push(...(await findInChunk(identity, table, chunk)));
    if (found.length >= REPORTED) break;
  }
  return found.slice(0, REPORTED);
};

/** Events are deleted from the outbox a week after they were published; one more day allows for pruning. */
const findOldEvents = async (db: Reader, now: Date): Promise<string[]> => {
  const before = new Date(now.getTime() - days(EVENT_DAYS + 1));
  const sql = 'SELECT COUNT(*) AS count FROM outbox WHERE published_at < ?';
  const [row] = await db.select<{ count: number }>(sql, [before]);
  return row && row.count > 0 ? [`outbox has ${row.count} events that have expired`] : [];
};

/** V11 No database has text or an email of a person who has no account. */
export const personsHaveAccounts = DATABASES.map((name) =>
  defineInvariant({
    id: 'V11',
    about: `the database of ${name} has texts and addresses of accounts that exist`,
    needs: name === 'identity' ? ['identity'] : ['identity', name],
    find: async ({ identity, now, ...databases }) => {
      const db = { identity, ...databases }[name];
      const found = await findOldEvents(db, now);
      for (const table of await listTextTables(db)) found.push(...(await findInTable(identity, db, table)));
      return found.map((detail) => `${name}.${detail}`);
    },
  }),
);
