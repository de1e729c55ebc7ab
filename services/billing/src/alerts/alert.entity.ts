import type { AlertKind } from '@shortlist/contracts/system';
import { EntitySchema } from 'typeorm';

/** Something at Stripe that needs an operator. `alertId` is `<kind>:<id of Stripe's object>`. */
export type AlertRow = {
  alertId: string;
  kind: AlertKind;
  userId: string | null;
  objectId: string;
  amount: number | null;
  currency: string | null;
  detail: string | null;
  raisedAt: Date;
  resolvedAt: Date | null;
};

export const alertEntity = new EntitySchema<AlertRow>({
  name: 'alert',
  tableName: 'alerts',
  columns: {
    alertId: { name: 'alert_id', type: 'varchar', length: 100, primary: true },
    kind: { type: 'varchar', length: 40 },
    userId: { name: 'user_id', type: 'char', length: 36, nullable: true },
    objectId: { name: 'object_id', type: 'varchar', length: 64 },
    amount: { type: 'int', nullable: true },
    currency: { type: 'char', length: 3, nullable: true },
    detail: { type: 'varchar', length: 500, nullable: true },
    raisedAt: { name: 'raised_at', type: 'datetime', precision: 3 },
    resolvedAt: { name: 'resolved_at', type: 'datetime', precision: 3, nullable: true },
  },
});
