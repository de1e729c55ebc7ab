import type { PlanState } from '@shortlist/contracts/plan';
import { EntitySchema } from 'typeorm';

/** The newest plan state received from billing. */
export type AccountRow = { userId: string; planVersion: number; planState: PlanState };

export const parsePlanState = (text: string): PlanState => JSON.parse(text) as PlanState;

export const accountEntity = new EntitySchema<AccountRow>({
  name: 'account',
  tableName: 'accounts',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    planVersion: { name: 'plan_version', type: 'int', unsigned: true },
    planState: {
      name: 'plan_state',
      type: 'text',
      transformer: { from: parsePlanState, to: (state: PlanState) => JSON.stringify(state) },
    },
  },
});
