import type { Plan } from '@shortlist/contracts/plan';
import { EntitySchema } from 'typeorm';

export type WindowRow = {
  id: number;
  userId: string;
  sourceKey: string;
  plan: Plan;
  limit: number;
  used: number;
  startsAt: Date;
  endsAt: Date;
};

export const windowEntity = new EntitySchema<WindowRow>({
  name: 'window',
  tableName: 'windows',
  columns: {
    id: {
      type: 'bigint',
      unsigned: true,
      primary: true,
      generated: 'increment',
      transformer: { from: Number, to: (id: number) => id },
    },
    userId: { name: 'user_id', type: 'char', length: 36 },
    sourceKey: { name: 'source_key', type: 'varchar', length: 120 },
    plan: { type: 'enum', enum: ['premium', 'free'] },
    limit: { name: 'credit_limit', type: 'int', unsigned: true },
    used: { type: 'int', unsigned: true },
    startsAt: { name: 'starts_at', type: 'datetime', precision: 3 },
    endsAt: { name: 'ends_at', type: 'datetime', precision: 3 },
  },
});
