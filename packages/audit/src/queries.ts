import type { AuditEntry, AuditQuery } from '@shortlist/contracts/api/audit';
import { AUDIT_PAGE } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { instant, integer, nullable, selectRow, selectRows, text } from '@shortlist/kit/data/sql';
import { EntitySchema, In, MoreThan } from 'typeorm';

/** `before` and `after` are JSON. */
export type AuditLogRow = {
  id: string;
  at: Date;
  actorId: string;
  address: string;
  action: string;
  targetId: string;
  before: string | null;
  after: string | null;
  /** Null once the states are redacted. */
  salt: string | null;
};

/** The order of insertion, assigned by the database. */
type Position = { position: number };

export const auditLogEntity = new EntitySchema<AuditLogRow & Position>({
  name: 'audit_log',
  tableName: 'audit_log',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    at: { type: 'datetime', precision: 3 },
    actorId: { name: 'actor_id', type: 'varchar', length: 36 },
    address: { type: 'varchar', length: 45 },
    action: { type: 'varchar', length: 60 },
    targetId: { name: 'target_id', type: 'char', length: 36 },
    before: { name: 'before_state', type: 'text', nullable: true },
    after: { name: 'after_state', type: 'text', nullable: true },
    salt: { type: 'char', length: 32, nullable: true, select: false },
    position: { type: 'bigint', unsigned: true, insert: false, update: false, select: false },
  },
});

export const insertEntry = async (tx: Tx, entry: AuditLogRow): Promise<void> => {
  await tx.createQueryBuilder().insert().into(auditLogEntity).values(entry).updateEntity(false).execute();
};

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

/** Entries newest first. Ids grow with time, so `before` is the id of the last entry of the previous page. */
export const listAudit = async (tx: Tx, query: AuditQuery): Promise<AuditEntry[]> => {
  const { limit = AUDIT_PAGE, from, to, before, actors, targets, ...equal } = query;
  const select = tx.getRepository(auditLogEntity).createQueryBuilder('entry').where(equal);
  if (from !== undefined) select.andWhere('entry.at >= :from', { from: new Date(from) });
  if (to !== undefined) select.andWhere('entry.at < :to', { to: new Date(to) });
  if (actors !== undefined) select.andWhere({ actorId: In(actors.split(',')) });
  if (targets !== undefined) select.andWhere({ targetId: In(targets.split(',')) });
  if (before !== undefined) select.andWhere('entry.id < :before', { before });
  const rows = await select.orderBy('entry.id', 'DESC').limit(limit).getMany();
  return rows.map(present);
};

/** A sealed entry of the audit log. `sealedAt` is the database's time. */
export type ChainRow = {
  sequence: number;
  entryId: string;
  recordHash: string;
  detailsHash: string;
  hash: string;
  sealedAt: Date;
};

const SHA256 = { type: 'char', length: 64 } as const;

export const chainEntity = new EntitySchema<ChainRow>({
  name: 'audit_chain',
  tableName: 'audit_chain',
  columns: {
    sequence: { type: 'bigint', unsigned: true, primary: true },
    entryId: { name: 'entry_id', type: 'char', length: 36 },
    recordHash: { name: 'record_hash', ...SHA256 },
    detailsHash: { name: 'details_hash', ...SHA256 },
    hash: SHA256,
    sealedAt: { name: 'sealed_at', type: 'datetime', precision: 3 },
  },
});

export type UnsealedEntry = AuditLogRow & { position: number };

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
    {
      id: text,
      at: instant,
      actorId: text,
      address: text,
      action: text,
      targetId: text,
      before: nullable(text),
      after: nullable(text),
      salt: nullable(text),
      position: integer,
    },
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
  await tx.createQueryBuilder().insert().into(chainEntity).values(values).updateEntity(false).execute();
};
