import type { AuditEntry } from '@shortlist/contracts/api/audit';
import type { AuditQuery } from '@shortlist/contracts/schemas/audit';
import { AUDIT_PAGE } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { MoreThan } from 'typeorm';
import { auditLogEntity, type AuditLogRow } from './audit-log.entity.ts';

export const insertEntry = async (tx: Tx, entry: AuditLogRow): Promise<void> => {
  await tx.getRepository(auditLogEntity).insert(entry);
};

/** The entries about one user, locked: a concurrent redaction waits. */
export const lockEntriesAbout = (tx: Tx, targetId: string): Promise<AuditLogRow[]> =>
  tx.getRepository(auditLogEntity).find({ where: { targetId }, lock: { mode: 'pessimistic_write' } });

export const updateStates = async (
  tx: Tx,
  { id, ...states }: Pick<AuditLogRow, 'id' | 'before' | 'after' | 'address'>,
): Promise<void> => {
  await tx.getRepository(auditLogEntity).update({ id }, states);
};

const parseState = (text: string | null): object | null =>
  text === null ? null : (JSON.parse(text) as object);

const present = (row: AuditLogRow): AuditEntry => ({
  ...row,
  at: row.at.toISOString(),
  before: parseState(row.before),
  after: parseState(row.after),
});

/** Entries about one user, the oldest first, that follow the one with the id `after`. */
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
  const { limit = AUDIT_PAGE, from, to, before, ...equal } = query;
  const select = tx.getRepository(auditLogEntity).createQueryBuilder('entry').where(equal);
  if (from !== undefined) select.andWhere('entry.at >= :from', { from: new Date(from) });
  if (to !== undefined) select.andWhere('entry.at < :to', { to: new Date(to) });
  if (before !== undefined) select.andWhere('entry.id < :before', { before });
  const rows = await select.orderBy('entry.id', 'DESC').limit(limit).getMany();
  return rows.map(present);
};
