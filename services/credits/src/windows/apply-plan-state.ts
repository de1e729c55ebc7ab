import { billingEndpoints } from '@shortlist/contracts/api/billing';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Coverage, PlanState } from '@shortlist/contracts/plan';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { deleteAccount, isDeleted, lockAccount, updateOlderPlanState } from '../ledger/account-queries.ts';
import { openWindow } from './open-window.ts';
import { endOtherPremiumWindows, updateWindowEnd } from './queries.ts';
import { premiumWindow } from './window.rules.ts';

/**
 * Brings the windows in line with a plan state. A coverage opens its window once, whichever event carries it; a window without a
 * coverage ends; charges stay in the window they were counted in. A state that is not newer than the stored one changes nothing.
 */
export const applyPlanState = async (
  tx: Tx,
  userId: string,
  { state, clock }: { state: PlanState; clock: Clock },
): Promise<void> => {
  await lockAccount(tx, userId);
  if (await isDeleted(tx, userId)) return deleteAccount(tx, userId);
  if (!(await updateOlderPlanState(tx, userId, state))) return;
  const coverages = [state.paid, state.granted].filter((coverage): coverage is Coverage => coverage !== null);
  for (const coverage of coverages) {
    const window = premiumWindow(coverage);
    if (!(await openWindow(tx, userId, { window, clock }))) await updateWindowEnd(tx, userId, window);
  }
  await endOtherPremiumWindows(tx, userId, { paidKeys: coverages.map(({ key }) => key), now: clock() });
};

export type CatchUp = (userId: string) => Promise<void>;

type Parts = { db: Db; billing: ServiceClient; clock: Clock };

/** Reads a user's plan state from billing and applies it, for a plan whose event has not arrived yet (decision 2). */
export const createCatchUp =
  ({ db, billing, clock }: Parts): CatchUp =>
  async (userId) => {
    const { planState } = await billing(
      billingEndpoints.getSubscription,
      { userId },
      asService({ timeoutMs: 1_000 }),
    );
    await inTransaction(db, (tx) => applyPlanState(tx, userId, { state: planState, clock }));
  };

/** Handles every billing event alike: each carries the whole plan state. */
export const onPlanChanged =
  (clock: Clock) =>
  (tx: Tx, { subject, data }: CloudEvent<{ planState: PlanState }>): Promise<void> =>
    applyPlanState(tx, subject, { state: data.planState, clock });
