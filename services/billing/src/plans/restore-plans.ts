// The plans after billing's database was set back: its own topic has what was decided since, and consumers hold that already.
import * as billing from '@shortlist/contracts/events/billing';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { userDeleted, type UserRegistered, userRegistered } from '@shortlist/contracts/events/identity';
import type { PlanState } from '@shortlist/contracts/plan';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { on } from '@shortlist/kit/messaging/handle-batch';
import { readEvents } from '@shortlist/kit/messaging/read-events';
import type { Clock } from '@shortlist/kit/process/clock';
import { onUserRegistered } from '../subscriptions/follow-user.ts';
import { nextPlan, planEvent } from '../subscriptions/plan.rules.ts';
import { lockSubscriber, writePlan } from '../subscriptions/queries.ts';

type Parts = { db: Db; bus: Bus; clock: Clock; since: Date; print: (line: string) => void };

/** The newest plan state of each user in billing's topic. */
const readPlans = async (source: Pick<Parts, 'bus' | 'since'>): Promise<Map<string, PlanState>> => {
  const newest = new Map<string, PlanState>();
  const note = ({ subject, data: { planState } }: CloudEvent<billing.WithPlanState>): Promise<void> => {
    if (planState.version > (newest.get(subject)?.version ?? 0)) newest.set(subject, planState);
    return Promise.resolve();
  };
  const handlers = billing.planEvents.map((event) => on(event, note));
  await readEvents(source, billing.planGranted.topic, handlers);
  return newest;
};

type Users = { registered: Map<string, CloudEvent<UserRegistered>>; deleted: Set<string> };

/** Who has registered and who was deleted lately. */
const readUsers = async (source: Pick<Parts, 'bus' | 'since'>): Promise<Users> => {
  const users: Users = { registered: new Map(), deleted: new Set() };
  await readEvents(source, userRegistered.topic, [
    on(userRegistered, (event) => Promise.resolve(users.registered.set(event.subject, event))),
    on(userDeleted, ({ subject }) => Promise.resolve(users.deleted.add(subject))),
  ]);
  return users;
};

const REASON = 'database set back';

/** The end of premium for the report. */
const periodOf = ({ paid, granted }: PlanState): string =>
  [paid && `paid until ${paid.end}`, granted && `granted until ${granted.end}`].filter(Boolean).join(', ') ||
  'free';

/**
 * Brings back a plan that consumers know in a later version. What was paid is read from Stripe afterwards; a grant is nowhere else. Returns what
 * the user has; null if the stored plan is the newest, or the user is deleted or unknown.
 */
const restorePlan = (
  { db, clock }: Parts,
  {
    userId,
    lost,
    registration,
  }: { userId: string; lost: PlanState; registration: CloudEvent<UserRegistered> | undefined },
): Promise<string | null> =>
  inTransaction(db, async (tx) => {
    if (registration) await onUserRegistered(tx, registration);
    const stored = await lockSubscriber(tx, userId);
    if (stored === null || stored.deletedAt !== null || stored.version >= lost.version) return null;
    const { paid, granted, version } = lost;
    const change = {
      columns: { paid, granted },
      by: 'operator',
      reason: REASON,
      events: [planEvent(billing.subscriptionChanged, { reason: REASON })],
      earlyEnd: 'canceled',
    } as const;
    await writePlan(tx, nextPlan({ ...stored, version }, change, clock()), clock);
    return periodOf(lost);
  });

/** Brings back the plans that billing's topic has in a later version than its database, with a version that is newer than both. */
export const restorePlans = async (parts: Parts): Promise<void> => {
  const { print } = parts;
  const [plans, { registered, deleted }] = [await readPlans(parts), await readUsers(parts)];
  let restored = 0;
  for (const [userId, lost] of plans) {
    if (deleted.has(userId)) continue;
    const found = await restorePlan(parts, { userId, lost, registration: registered.get(userId) });
    if (found === null) continue;
    restored += 1;
    print(`${userId}\t${found}`);
  }
  print(
    `${restored} of ${plans.size} plans were older than the last events about them and are as those say.`,
  );
  print('What was paid, refunded or disputed since is read from Stripe by reconciliation.');
};
