import { EntitySchema } from 'typeorm';

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

/** The order of insertion, which the database gives. */
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
