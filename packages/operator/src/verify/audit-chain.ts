import {
  type Details,
  detailsHashOf,
  type EntryRecord,
  isRedacted,
  type Link,
  linkHashOf,
  recordHashOf,
} from '@shortlist/audit/chain';
import { hours, minutes } from '@shortlist/contracts/durations';
import type { Reader } from '@shortlist/kit/data/reader';
import { defineInvariant } from './sources.ts';

const RECORDERS = ['identity', 'profile', 'billing', 'credits'] as const;
/** An entry is sealed within a minute, unless no process runs. */
const UNSEALED_MS = minutes(10);
/** Clocks differ, and a transaction may commit after later ones, but never by this much. */
const BACKDATED_MS = hours(1);
/** The most breaches reported: after the first, everything that follows may differ. */
const REPORTED = 20;

/** `id` is null if the entry is missing from the audit log. */
type Row = Link & Details & { entryId: string; hash: string } & (EntryRecord | { id: null });

const CHAIN = `SELECT c.sequence, c.entry_id AS entryId, c.record_hash AS recordHash, c.details_hash AS detailsHash, c.hash,
  a.id, a.at, a.actor_id AS actorId, a.action, a.target_id AS targetId, a.salt, a.address,
  a.before_state AS \`before\`, a.after_state AS \`after\`
  FROM audit_chain c LEFT JOIN audit_log a ON a.id = c.entry_id ORDER BY c.sequence`;

type Position = { sequence: number; hash: string; latest: number };

const findInLink = (row: Row, { sequence, hash }: Position): string[] => {
  if (row.sequence !== sequence + 1) return [`no entry has the number ${sequence + 1}`];
  return row.hash === linkHashOf(hash, row) ? [] : [`the chain does not fit at entry ${row.sequence}`];
};

const accountExists = async (identity: Reader, id: string): Promise<boolean> =>
  (await identity.select('SELECT id FROM accounts WHERE id = ?', [id])).length > 0;

/** Details may be redacted if the account they are about is deleted. */
const findInDetails = async (identity: Reader, row: Row & EntryRecord): Promise<string[]> => {
  if (detailsHashOf(row) === row.detailsHash) return [];
  const mayBeRedacted = isRedacted(row) && !(await accountExists(identity, row.targetId));
  return mayBeRedacted ? [] : [`the details of entry ${row.sequence} (${row.id}) were changed`];
};

const findInEntry = async (identity: Reader, row: Row, latest: number): Promise<string[]> => {
  if (row.id === null) return [`entry ${row.sequence} (${row.entryId}) was deleted`];
  const found = await findInDetails(identity, row);
  if (recordHashOf(row) !== row.recordHash) found.push(`entry ${row.sequence} (${row.id}) was changed`);
  if (row.at.getTime() < latest - BACKDATED_MS)
    found.push(`entry ${row.sequence} (${row.id}) was added after later ones`);
  return found;
};

const findInChain = async (identity: Reader, db: Reader): Promise<string[]> => {
  const found: string[] = [];
  let position: Position = { sequence: 0, hash: '', latest: 0 };
  for await (const row of db.stream<Row>(CHAIN)) {
    found.push(...findInLink(row, position), ...(await findInEntry(identity, row, position.latest)));
    const latest = row.id === null ? position.latest : Math.max(position.latest, row.at.getTime());
    position = { sequence: row.sequence, hash: row.hash, latest };
    if (found.length >= REPORTED) break;
  }
  return found.slice(0, REPORTED);
};

const findUnsealed = async (db: Reader, now: Date): Promise<string[]> => {
  const rows = await db.select<{ id: string }>(
    `SELECT a.id FROM audit_log a LEFT JOIN audit_chain c ON c.entry_id = a.id
     WHERE c.entry_id IS NULL AND a.at < ? LIMIT ${REPORTED}`,
    [new Date(now.getTime() - UNSEALED_MS)],
  );
  return rows.map(({ id }) => `entry ${id} is not sealed`);
};

/** V12 No entry of the audit log was changed, deleted or added afterwards. */
export const auditLogsAreComplete = RECORDERS.map((name) =>
  defineInvariant({
    id: 'V12',
    about: `the audit log of ${name} is complete and unchanged`,
    needs: name === 'identity' ? ['identity'] : ['identity', name],
    find: async ({ identity, now, ...databases }) => {
      const db = { identity, ...databases }[name];
      const found = [...(await findInChain(identity, db)), ...(await findUnsealed(db, now))];
      return found.map((detail) => `${name}: ${detail}`);
    },
  }),
);
