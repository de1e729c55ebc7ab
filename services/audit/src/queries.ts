import type { AuditEntry } from '@shortlist/contracts/api/audit';
import type { AuditQuery } from '@shortlist/contracts/schemas/audit';
import { AUDIT_PAGE } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { auditLogEntity, type AuditLogRow } from './audit-log.entity.ts';

export const insertEntry = async (tx: Tx, entry: AuditLogRow): Promise<void> => {
  await tx.getRepository(auditLogEntity).insert(entry);
};

/** The entries about one user, locked: a concurrent redaction waits. */
export const lockEntriesAbout = (tx: Tx, targetId: string): Promise<AuditLogRow[]> =>
  tx.getRepository(auditLogEntity).find({ where: { targetId }, lock: { mode: 'pessimistic_write' } });

export const updateStates = async (
  tx: Tx,
  { id, before, after }: Pick<AuditLogRow, 'id' | 'before' | 'after'>,
): Promise<void> => {
  await tx.getRepository(auditLogEntity).update({ id }, { before, after });
};

const parseState = (text: string | null): object | null =>
  text === null ? null : (JSON.parse(text) as object);

/** Entries newest first. Ids grow with time, so `before` is the id of the last entry of the previous page. */
export const listAudit = async (tx: Tx, query: AuditQuery): Promise<AuditEntry[]> => {
  const { limit = AUDIT_PAGE, from, to, before, ...equal } = query;
  const select = tx.getRepository(auditLogEntity).createQueryBuilder('entry').where(equal);
  if (from !== undefined) select.andWhere('entry.at >= :from', { from: new Date(from) });
  if (to !== undefined) select.andWhere('entry.at < :to', { to: new Date(to) });
  if (before !== undefined) select.andWhere('entry.id < :before', { before });
  const rows = await select.orderBy('entry.id', 'DESC').limit(limit).getMany();
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    before: parseState(row.before),
    after: parseState(row.after),
  }));
};
