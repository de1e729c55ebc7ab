import type { Coverage, PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { deleteAccount, isDeleted, lockAccount, updateOlderPlanState } from '../users/queries.ts';
import { openWindow } from '../windows/open-window.ts';
import { endOtherPremiumWindows, updateWindowEnd } from '../windows/queries.ts';
import { premiumWindow } from '../windows/window.rules.ts';

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
