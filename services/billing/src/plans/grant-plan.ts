import { randomUUID } from 'node:crypto';
import { planGranted } from '@shortlist/contracts/events/billing';
import { planAt, type PlanState } from '@shortlist/contracts/plan';
import { recordChange } from '@shortlist/audit/audit-log';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import type { Caller } from '@shortlist/kit/http/service-token';
import { lockSubscriber } from '../subscriptions/queries.ts';
import { grantCoverage } from '../subscriptions/subscription.rules.ts';
import { stateOf, withState, writePlan } from '../subscriptions/write-plan.ts';

/** Grants a month of premium by an admin. A user who is premium already gets no second one. */
export const grantPlan = async (
  tx: Tx,
  userId: string,
  { caller, clock }: { caller: Caller; clock: Clock },
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null || current.deletedAt !== null) throw createError('billing.user_not_found');
  const now = clock();
  const before = stateOf(current);
  if (planAt(before, now).plan === 'premium') return before;
  const by = caller.userId ?? 'admin';
  const reason = 'granted by an admin';
  const events = [withState(tx, planGranted, { subject: userId, data: { by, reason }, clock })];
  const columns = { paid: current.paid, granted: grantCoverage(randomUUID(), now) };
  const after = await writePlan(tx, {
    ...{ current, columns, by, reason, events, clock },
    earlyEnd: 'unsubscribed',
  });
  await recordChange(tx, { action: 'plan.grant', targetId: userId, before, after, caller, clock });
  return after;
};
