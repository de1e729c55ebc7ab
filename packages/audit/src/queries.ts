import { type AuditEntry, type AuditQuery, SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import {
  itemsOf,
  type TimelineEntry,
  type TimelineItem,
  type TimelineKind,
  type TimelineQuery,
} from '@shortlist/contracts/api/timeline';
import { actionsOf, AUDIT_ACTIONS, type AuditAction } from '@shortlist/contracts/audit-log';
import { AUDIT_PAGE } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { boundOf, type Position } from '@shortlist/kit/data/newest-first';
import {
  instant,
  integer,
  isOlder,
  joined,
  nullable,
  raw,
  selectRow,
  selectRows,
  sql,
  text,
} from '@shortlist/kit/data/sql';
import { MoreThan } from 'typeorm';

type Fragment = ReturnType<typeof sql>;

/** `before` and `after` are JSON. */
export const auditLogEntity = defineEntity('audit_log', 'audit_log', {
  id: { ...column.uuid, primary: true },
  at: column.dateTime,
  actorId: column.varchar(36),
  address: column.varchar(45),
  action: column.varchar(60),
  targetId: column.uuid,
  before: { ...column.nullable(column.text), name: 'before_state' },
  after: { ...column.nullable(column.text), name: 'after_state' },
  /** Null once the states are redacted. */
  salt: { ...column.nullable(column.char(32)), select: false },
  /** The order of insertion, assigned by the database. */
  position: { ...column.bigint, select: false, insert: false, update: false },
});
export type UnsealedEntry = RowOf<typeof auditLogEntity>;
export type AuditLogRow = Omit<UnsealedEntry, 'position'>;

export const insertEntry = (tx: Tx, entry: AuditLogRow): Promise<void> =>
  insertRows(tx, auditLogEntity, entry);

/** Every entry about one user. Takes no lock: a database account that may update only some columns need not be allowed to. */
export const listAllAbout = (tx: Tx, targetId: string): Promise<Omit<AuditLogRow, 'salt'>[]> =>
  tx.getRepository(auditLogEntity).findBy({ targetId });

export const updateStates = async (
  tx: Tx,
  { id, ...states }: Pick<AuditLogRow, 'id' | 'before' | 'after' | 'address' | 'salt'>,
): Promise<void> => {
  await tx.getRepository(auditLogEntity).update({ id }, states);
};

const parseState = (text: string | null): object | null =>
  text === null ? null : (JSON.parse(text) as object);

const present = (row: Omit<AuditLogRow, 'salt'>): AuditEntry => ({
  ...row,
  at: row.at.toISOString(),
  before: parseState(row.before),
  after: parseState(row.after),
});

/** Entries about one user after the id `after`, oldest first. */
export const listEntriesAbout = async (
  tx: Tx,
  targetId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<AuditEntry[]> => {
  const rows = await tx.getRepository(auditLogEntity).find({
    where: { targetId, ...(after === null ? {} : { id: MoreThan(after) }) },
    order: { id: 'ASC' },
    take: limit,
  });
  return rows.map(present);
};

const ENTRY = {
  id: text,
  at: instant,
  actorId: text,
  address: text,
  action: text,
  targetId: text,
  before: nullable(text),
  after: nullable(text),
};

const ENTRY_COLUMNS = sql`id, at, actor_id AS actorId, address, action, target_id AS targetId,
  before_state AS \`before\`, after_state AS after`;

/** The index that has the entries of a filter in their order. */
const indexFor = ({ targetId, targets, actorId, actors, action }: AuditQuery): string => {
  if ((targetId ?? targets) !== undefined) return 'audit_target_times';
  if ((actorId ?? actors) !== undefined) return 'audit_actors';
  return action === undefined ? 'audit_times' : 'audit_actions';
};

/** Older than the last entry of the page before. */
const afterPage = ({ before, beforeAt }: AuditQuery): Fragment[] => {
  if (before === undefined) return [];
  if (beforeAt === undefined) return [sql`id < ${before}`]; // from bff of the release before
  return [isOlder(sql`at`, sql`id`, { at: new Date(beforeAt), id: before })];
};

const conditionsOf = (query: AuditQuery): Fragment[] => {
  const { targetId, actorId, action, address, from, to, actors, targets } = query;
  const is = (column: string, value: string | undefined): Fragment[] =>
    value === undefined ? [] : [sql`${raw(column)} = ${value}`];
  const isOneOf = (column: string, values: string | undefined): Fragment[] =>
    values === undefined ? [] : [sql`${raw(column)} IN (${values.split(',')})`];
  return [
    ...is('target_id', targetId),
    ...is('actor_id', actorId),
    ...is('action', action),
    ...is('address', address),
    ...isOneOf('actor_id', actors),
    ...isOneOf('target_id', targets),
    ...(from === undefined ? [] : [sql`at >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [sql`at < ${new Date(to)}`]),
    ...afterPage(query),
  ];
};

/** Entries newest first, of one millisecond the one with the greatest id. Without FORCE, MariaDB reads from the newest on. */
export const listAudit = async (tx: Tx, query: AuditQuery): Promise<AuditEntry[]> => {
  const rows = await selectRows(
    tx,
    ENTRY,
    sql`SELECT ${ENTRY_COLUMNS}
      FROM audit_log FORCE INDEX (${raw(indexFor(query))}) WHERE ${joined([sql`TRUE`, ...conditionsOf(query)], ' AND ')}
      ORDER BY at DESC, id DESC LIMIT ${query.limit ?? AUDIT_PAGE}`,
  );
  return rows.map(present);
};

/** The entries about one user whose state before or after has this text in a field, newest first. */
export const listEntriesNaming = async (
  tx: Tx,
  targetId: string,
  { field, value }: { field: string; value: string },
): Promise<AuditEntry[]> => {
  const rows = await tx
    .getRepository(auditLogEntity)
    .createQueryBuilder('entry')
    .where({ targetId })
    .andWhere('(JSON_VALUE(entry.before, :path) = :value OR JSON_VALUE(entry.after, :path) = :value)', {
      path: `$.${field}`,
      value,
    })
    .orderBy('entry.id', 'DESC')
    .getMany();
  return rows.map(present);
};

type Cause = Pick<AuditLogRow, 'action' | 'actorId'>;

/** What admins do with credits is of both kinds, because the ledger does not tell who did it. */
const CREDITS_BY_ADMINS: readonly string[] = ['credits.grant', 'credits.revoke'] satisfies AuditAction[];

/** Whether a change of a user is of this kind. What another person did, an admin as a rule, is support's. An action of another release is of the account. */
const isOfKind = ({ action, actorId }: Cause, userId: string, kind: TimelineKind): boolean => {
  if (kind === 'credits' && CREDITS_BY_ADMINS.includes(action)) return true;
  const isOwn = actorId === userId || actorId === SYSTEM_ACTOR_ID;
  if (kind === 'support' || !isOwn) return kind === 'support' && !isOwn;
  return (AUDIT_ACTIONS as readonly string[]).includes(action)
    ? (actionsOf(kind) as readonly string[]).includes(action)
    : kind === 'account';
};

const CHANGE = 'change:';

/** Changes with this action of which another list of the same timeline has a record: where `condition` holds of the row `entry`. */
export type Told = { action: AuditAction; item: TimelineItem; condition: string };

const withoutTold = (told: Told | undefined, items: readonly TimelineItem[]): string =>
  told === undefined || !items.includes(told.item)
    ? 'TRUE'
    : `(entry.action <> '${told.action}' OR NOT ${told.condition})`;

type Page = TimelineQuery & { position: Position };

const isOlderThan = (position: Position): Fragment => {
  const { at, key } = boundOf(position, CHANGE);
  return isOlder(sql`at`, sql`id`, { at, id: key });
};

/**
 * The ids of a page of the changes of one kind, the newest first. Of each action and actor that the user's entries have, which the index finds
 * without their rows, it reads as many entries as the page has at most.
 */
const findIdsOfKind = async (
  tx: Tx,
  { userId, position, limit, kind }: Page & { kind: TimelineKind },
  untold: string,
): Promise<string[]> => {
  const causes = await selectRows(
    tx,
    { targetId: text, action: text, actorId: text },
    // As a range, and grouped by the target, too: otherwise the database reads the index as a whole (type `ref`), not one entry of each group.
    sql`SELECT target_id AS targetId, action, actor_id AS actorId FROM audit_log FORCE INDEX (audit_target_kinds)
      WHERE target_id >= ${userId} AND target_id <= ${userId} GROUP BY target_id, action, actor_id`,
  );
  const older = isOlderThan(position);
  const parts = causes
    .filter((cause) => isOfKind(cause, userId, kind))
    .map(
      ({ action, actorId }) => sql`(SELECT id, at FROM audit_log entry FORCE INDEX (audit_target_kinds)
        WHERE target_id = ${userId} AND action = ${action} AND actor_id = ${actorId}
          AND ${older} AND ${raw(untold)}
        ORDER BY at DESC, id DESC LIMIT ${limit})`,
    );
  if (parts.length === 0) return [];
  const page = sql`${joined(parts, ' UNION ALL ')} ORDER BY at DESC, id DESC LIMIT ${limit}`;
  return (await selectRows(tx, { id: text, at: instant }, page)).map(({ id }) => id);
};

/**
 * The changes of a user as entries of the timeline, which orders them by their time: two ids may be in another order than their times. Without
 * those that another list of the timeline tells.
 */
export const listChanges = async (tx: Tx, query: Page, told?: Told): Promise<TimelineEntry[]> => {
  const { userId, position, limit, kind } = query;
  const untold = withoutTold(told, itemsOf(query));
  const ids = kind === undefined ? null : await findIdsOfKind(tx, { ...query, kind }, untold);
  if (ids?.length === 0) return [];
  // Without FORCE, the database reads the newer entries of the user too.
  const found =
    ids === null
      ? sql`FORCE INDEX (audit_target_times)
          WHERE target_id = ${userId} AND ${isOlderThan(position)} AND ${raw(untold)}`
      : sql`WHERE id IN (${ids})`;
  const rows = await selectRows(
    tx,
    ENTRY,
    sql`SELECT ${ENTRY_COLUMNS} FROM audit_log entry ${found} ORDER BY at DESC, id DESC LIMIT ${limit}`,
  );
  return rows.map(present).map((change) => ({ id: `${CHANGE}${change.id}`, at: change.at, change }));
};

const sha256 = column.char(64);

/** A sealed entry of the audit log. `sealedAt` is the database's time. */
export const chainEntity = defineEntity('audit_chain', 'audit_chain', {
  sequence: { ...column.bigint, primary: true },
  entryId: column.uuid,
  recordHash: sha256,
  detailsHash: sha256,
  hash: sha256,
  sealedAt: column.dateTime,
});
export type ChainRow = RowOf<typeof chainEntity>;

/** The last entry of the chain; null if it is empty. `position` is null when the entry itself is missing, which `verify` reports. */
export const findHead = (
  tx: Tx,
): Promise<{ sequence: number; hash: string; position: number | null } | null> =>
  selectRow(
    tx,
    { sequence: integer, hash: text, position: nullable(integer) },
    {
      sql: `SELECT c.sequence, c.hash, a.position FROM audit_chain c
            LEFT JOIN audit_log a ON a.id = c.entry_id ORDER BY c.sequence DESC LIMIT 1`,
    },
  );

/** Unsealed entries after a position, in the order of their insertion. Raw SQL, because it joins on columns without a relation. */
export const listUnsealed = (tx: Tx, afterPosition: number, limit: number): Promise<UnsealedEntry[]> =>
  selectRows(
    tx,
    { ...ENTRY, salt: nullable(text), position: integer },
    {
      sql: `SELECT a.id, a.at, a.actor_id AS actorId, a.address, a.action, a.target_id AS targetId,
              a.before_state AS \`before\`, a.after_state AS \`after\`, a.salt, a.position
            FROM audit_log a LEFT JOIN audit_chain c ON c.entry_id = a.id
            WHERE a.position > ? AND c.entry_id IS NULL ORDER BY a.position LIMIT ?`,
      values: [afterPosition, limit],
    },
  );

export const insertLinks = async (tx: Tx, links: Omit<ChainRow, 'sealedAt'>[]): Promise<void> => {
  const values = links.map((link) => ({ ...link, sealedAt: () => 'NOW(3)' }));
  await insertRows(tx, chainEntity, values);
};
