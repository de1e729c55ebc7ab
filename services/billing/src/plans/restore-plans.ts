// The plans after billing's database was set back: its own topic has what was decided since, and consumers hold that already.
import * as billing from '@shortlist/contracts/events/billing';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { userDeleted, type UserRegistered, userRegistered } from '@shortlist/contracts/events/identity';
import type { PlanState } from '@shortlist/contracts/plan';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { on } from '@shortlist/kit/messaging/handle-batch';
import { readEvents, readOwnEvents } from '@shortlist/kit/messaging/read-events';
import type { Clock } from '@shortlist/kit/process/clock';
import { onUserRegistered } from '../subscriptions/follow-user.ts';
import { nextPlan, type PlanChange, planEvent } from '../subscriptions/plan.rules.ts';
import { listUsersFrom, lockSubscriber, writePlan } from '../subscriptions/queries.ts';

type Parts = { db: Db; bus: Bus; clock: Clock; since: Date; print: (line: string) => void };

/** The newest plan state of each user in billing's topic, and whether the topic has all since the instant of the database. */
const readPlans = async (
  source: Pick<Parts, 'db' | 'bus' | 'since'>,
): Promise<{ plans: Map<string, PlanState>; isComplete: boolean }> => {
  const newest = new Map<string, PlanState>();
  const note = ({ subject, data: { planState } }: CloudEvent<billing.WithPlanState>): Promise<void> => {
    if (planState.version > (newest.get(subject)?.version ?? 0)) newest.set(subject, planState);
    return Promise.resolve();
  };
  const handlers = billing.planEvents.map((event) => on(event, note));
  const isComplete = await readOwnEvents(source, billing.planGranted.topic, handlers);
  return { plans: newest, isComplete };
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

/** A change that only states a plan, for those who copy it. */
const restatement = ({ paid, granted }: Pick<PlanState, 'paid' | 'granted'>): PlanChange => ({
  columns: { paid, granted },
  by: 'operator',
  reason: REASON,
  events: [planEvent(billing.subscriptionChanged, { reason: REASON })],
  earlyEnd: 'canceled',
});

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
    const { version } = lost;
    await writePlan(tx, nextPlan({ ...stored, version }, restatement(lost), clock()), clock);
    return periodOf(lost);
  });

/** Users whose plans are stated in one transaction. */
const PAGE = 200;
/** Plans after which the progress is printed. */
const STATED_LINE = 100 * PAGE;

/** Emits the stored plan of a user in a newer version. */
const statePlan = async (tx: Tx, userId: string, clock: Clock): Promise<void> => {
  const stored = await lockSubscriber(tx, userId);
  if (stored === null || stored.deletedAt !== null) return;
  await writePlan(tx, nextPlan(stored, restatement(stored), clock()), clock);
};

/** Emits every stored plan in a newer version: consumers may hold later ones, of which nothing tells any more. */
const stateAllPlans = async ({ db, clock, print }: Parts): Promise<void> => {
  let stated = 0;
  for (let after = ''; ;) {
    const users = await listUsersFrom(db.manager, after, PAGE);
    await inTransaction(db, async (tx) => {
      for (const userId of users) await statePlan(tx, userId, clock);
    });
    stated += users.length;
    if (users.length < PAGE) break;
    after = users.at(-1) ?? after;
    if (stated % STATED_LINE === 0) print(`${stated} plans stated again`);
  }
  print(
    `The topic has no event that the database knows, so Kafka may have lost it. All ${stated} plans are stated again as they were, so that no copy stays newer; grants that it had are lost.`,
  );
};

/** Brings back the plans that billing's topic has in a later version than its database, with a version that is newer than both. */
export const restorePlans = async (parts: Parts): Promise<void> => {
  const { print } = parts;
  const { plans, isComplete } = await readPlans(parts);
  const { registered, deleted } = await readUsers(parts);
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
  if (!isComplete) await stateAllPlans(parts);
  print('What was paid, refunded or disputed since is read from Stripe by reconciliation.');
};
