import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { applyPlanState } from './apply-plan-state.ts';

export type CatchUp = (userId: string) => Promise<void>;

type Parts = { db: Db; billing: ServiceClient; clock: Clock };

/** Reads a user's plan state from billing and applies it, for a plan whose event has not arrived yet (decision 2). */
export const createCatchUp =
  ({ db, billing, clock }: Parts): CatchUp =>
  async (userId) => {
    const { planState } = await billing(
      billingEndpoints.getSubscription,
      { userId },
      { caller: { role: 'service', userId: null }, timeoutMs: 1_000 },
    );
    await inTransaction(db, (tx) => applyPlanState(tx, userId, { state: planState, clock }));
  };
