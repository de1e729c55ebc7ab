import { billingEndpoints } from '@shortlist/contracts/api/billing';
import type { Clock } from '@shortlist/kit/process/clock';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { applyPlanState } from './apply-plan-state.ts';

export type CatchUp = (userId: string) => Promise<void>;

/** Asks billing for a plan state whose fact has not come yet, so that nobody who has just paid is told that they are free. */
export const createCatchUp = ({
  db,
  billing,
  clock,
}: {
  db: Db;
  billing: ServiceClient;
  clock: Clock;
}): CatchUp => {
  return async (userId) => {
    const { planState } = await billing(
      billingEndpoints.getSubscription,
      { userId },
      { caller: { role: 'service', userId: null }, timeoutMs: 1_000 },
    );
    await inTransaction(db, (tx) => applyPlanState(tx, userId, { state: planState, clock }));
  };
};
