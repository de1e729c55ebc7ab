import type { Coverage, PlanState } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { openWindow } from '../windows/open-window.ts';
import { endOtherPremiumWindows, setWindowEnd } from '../windows/queries.ts';
import { premiumWindow } from '../windows/window.rules.ts';
import { deleteAccount, isDeleted, keepNewerPlanState, lockAccount } from './queries.ts';

/**
 * Brings the windows in line with a plan state. A period opens its window once, whatever brought the news; a period that
 * no longer pays ends its window; what was spent stays where it was counted. An older state changes nothing.
 */
export const applyPlanState = async (
  tx: Tx,
  userId: string,
  { state, clock }: { state: PlanState; clock: Clock },
): Promise<void> => {
  await lockAccount(tx, userId);
  if (await isDeleted(tx, userId)) return deleteAccount(tx, userId);
  if (!(await keepNewerPlanState(tx, userId, state))) return;
  const coverages = [state.paid, state.granted].filter((coverage): coverage is Coverage => coverage !== null);
  for (const coverage of coverages) {
    const window = premiumWindow(coverage);
    if (!(await openWindow(tx, userId, { window, clock }))) await setWindowEnd(tx, userId, window);
  }
  await endOtherPremiumWindows(tx, userId, { keep: coverages.map(({ key }) => key), now: clock() });
};
