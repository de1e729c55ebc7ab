import { EntitySchema } from 'typeorm';

/** A copy of a plan that arrived before the user's registration. */
export type EarlyPlanRow = { userId: string; planVersion: number; premiumUntil: Date | null };

export const earlyPlanEntity = new EntitySchema<EarlyPlanRow>({
  name: 'early_plan',
  tableName: 'early_plans',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    planVersion: { name: 'plan_version', type: 'int', unsigned: true },
    premiumUntil: { name: 'premium_until', type: 'datetime', precision: 3, nullable: true },
  },
});
