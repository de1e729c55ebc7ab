import { randomUUID } from 'node:crypto';
import { planGranted } from '@shortlist/contracts/events/billing';
import { planAt, type PlanState } from '@shortlist/contracts/plan';
import { recordChange } from '@shortlist/audit/audit-log';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import type { Caller } from '@shortlist/kit/http/service-token';
import { lockSubscriber } from './queries.ts';
import { grantCoverage } from './subscription.rules.ts';
import { stateOf, telling, writePlan } from './write-plan.ts';

/** A month of premium, given by an admin. Somebody who is premium already gets no second one. */
export const grantPlan = async (
  tx: Tx,
  userId: string,
  { caller, clock }: { caller: Caller; clock: Clock },
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null || current.deletedAt !== null) throw createError('billing.user_not_found');
  const now = clock();
  if (planAt(stateOf(current), now).plan === 'premium') return stateOf(current);
  const by = caller.userId ?? 'admin';
  const reason = 'granted by an admin';
  const tell = [telling(tx, planGranted, { subject: userId, data: { by, reason }, clock })];
  const change = { paid: current.paid, granted: grantCoverage(randomUUID(), now) };
  const after = await writePlan(tx, { current, change, by, reason, tell, clock });
  await recordChange(tx, {
    action: 'plan.grant',
    targetId: userId,
    before: stateOf(current),
    after,
    caller,
    clock,
  });
  return after;
};
