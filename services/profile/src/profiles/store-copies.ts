// The profile's copies of what other services own: the address of identity, and the plan of billing.
import { type PlanState, premiumUntil } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { findProfile, lockProfile, updateEmailCopy, updateOlderPlanCopy } from './queries.ts';
import { deleteTerms, insertTerms, updatePlanOfTerms } from './term-queries.ts';
import { termsOf } from './terms.rules.ts';
import { isDeleted, upsertOlderEarlyPlan } from './user-queries.ts';

/**
 * Stores the copy of a new address unless a newer one is stored, with the search terms that it has. Does nothing without a profile:
 * admins have none, and the registration of a user always comes first.
 */
export const storeEmail = async (
  tx: Tx,
  id: string,
  { email, version }: { email: string; version: number },
): Promise<void> => {
  const current = await lockProfile(tx, id);
  if (current === null || current.emailVersion >= version) return;
  const terms = termsOf({ ...current, email });
  await updateEmailCopy(tx, id, { email, emailVersion: version, terms });
  await deleteTerms(tx, current);
  await insertTerms(tx, { ...current, email, terms });
};

/** Stores the directory's copy of a plan, with the end of premium, unless a newer one is stored. */
export const storePlan = async (tx: Tx, userId: string, planState: PlanState): Promise<void> => {
  const until = premiumUntil(planState);
  const copy = { planVersion: planState.version, premiumUntil: until === null ? null : new Date(until) };
  // The UPDATE locks the row, so the profile that is read after it has the newest copy.
  const profile = (await updateOlderPlanCopy(tx, userId, copy)) ? await findProfile(tx, userId) : null;
  if (profile) await updatePlanOfTerms(tx, profile);
  else if (!(await isDeleted(tx, userId))) await upsertOlderEarlyPlan(tx, { userId, ...copy });
};
