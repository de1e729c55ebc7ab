import { auditDoor, type AuditEntry, type AuditQuery } from '@shortlist/contracts/api/audit';
import Joi from 'joi';
import { uuidv7 } from 'uuidv7';
import type { Clock } from './clock.ts';
import type { Db, Tx } from './db.ts';
import type { Doors } from './doors.ts';
import type { Caller } from './service-token.ts';

/** Entries of a page when nothing is asked. */
export const AUDIT_PAGE = 50;
const PAGE_MAX = 200;

/** What is noted of an admin's change: never a password or a secret, only what a colleague may read. */
type AuditNote = { action: string; targetId: string; before: object | null; after: object | null };

/** Notes who did what to whom, in the same transaction as the change. Only admins' changes are noted. */
export const noteChange = async (
  tx: Tx,
  { caller, clock, ...note }: AuditNote & { caller: Caller; clock: Clock },
): Promise<void> => {
  if (caller.role !== 'admin') return;
  await tx.query(
    `INSERT INTO audit_log (id, at, actor_id, address, action, target_id, before_state, after_state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      uuidv7(),
      clock(),
      caller.userId ?? '',
      caller.address ?? '',
      note.action,
      note.targetId,
      note.before && JSON.stringify(note.before),
      note.after && JSON.stringify(note.after),
    ],
  );
};

const FORGOTTEN = '(forgotten)';

/** What was said in words is gone, which fields there were stays. */
const withoutWords = (state: string | null): string | null =>
  state &&
  JSON.stringify(JSON.parse(state), (_key, value: unknown) =>
    typeof value === 'string' ? FORGOTTEN : value,
  );

/** Takes a deleted person's own words out of the notes about them: who did what to whom and when stays (decision 11). */
export const forgetInNotes = async (tx: Tx, targetId: string): Promise<void> => {
  const rows: { id: string; before: string | null; after: string | null }[] = await tx.query(
    'SELECT id, before_state AS `before`, after_state AS `after` FROM audit_log WHERE target_id = ? FOR UPDATE',
    [targetId],
  );
  for (const { id, before, after } of rows)
    await tx.query('UPDATE audit_log SET before_state = ?, after_state = ? WHERE id = ?', [
      withoutWords(before),
      withoutWords(after),
      id,
    ]);
};

type Row = {
  id: string;
  at: Date;
  actorId: string;
  address: string;
  action: string;
  targetId: string;
  before: string | null;
  after: string | null;
};

const parse = (text: string | null): object | null => (text === null ? null : (JSON.parse(text) as object));

const inDatabase = (moment: string | undefined): Date | undefined =>
  moment === undefined ? undefined : new Date(moment);

/** Entries newest first, those with an id smaller than `before`; ids grow with time. */
const listAudit = async (tx: Tx, { limit = AUDIT_PAGE, ...query }: AuditQuery): Promise<AuditEntry[]> => {
  const filters: [string, string | Date | undefined][] = [
    ['target_id = ?', query.targetId],
    ['actor_id = ?', query.actorId],
    ['action = ?', query.action],
    ['address = ?', query.address],
    ['at >= ?', inDatabase(query.from)],
    ['at < ?', inDatabase(query.to)],
    ['id < ?', query.before],
  ];
  const asked = filters.filter((filter): filter is [string, string | Date] => filter[1] !== undefined);
  const where = asked.length > 0 ? `WHERE ${asked.map(([condition]) => condition).join(' AND ')}` : '';
  const rows: Row[] = await tx.query(
    `SELECT id, at, actor_id AS actorId, address, action, target_id AS targetId, before_state AS \`before\`, after_state AS \`after\`
     FROM audit_log ${where} ORDER BY id DESC LIMIT ?`,
    [...asked.map(([, value]) => value), limit],
  );
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    before: parse(row.before),
    after: parse(row.after),
  }));
};

const id = Joi.string().guid().empty('').messages({ 'string.guid': 'Must be an id' });
// The columns are ASCII, and the database does not compare them with anything else.
const word = Joi.string()
  .pattern(/^[\x21-\x7e]+$/)
  .empty('')
  .messages({ 'string.pattern.base': 'Must be written in plain letters' });
const moment = Joi.string().isoDate().empty('');
/** What may be asked of the log, at each owner and of all of them together. */
export const auditQuerySchema = Joi.object<AuditQuery, true>({
  targetId: id,
  actorId: id,
  action: word.max(60),
  address: word.max(45),
  from: moment,
  to: moment,
  before: id,
  limit: Joi.number().integer().min(1).max(PAGE_MAX),
});

/** The owner's door to its part of the log. */
export const addAuditDoor = (doors: Doors, db: Db): void => {
  doors.add(auditDoor, {
    roles: ['admin'],
    input: auditQuerySchema,
    answer: async ({ input }) => ({ data: await listAudit(db.manager, input) }),
  });
};
