// The charge of a user who has credits beside the window of the plan: under the lock of the account, over all buckets in their order.
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { divideCharge, type Division, type Part, sumAvailable } from '../buckets/bucket.rules.ts';
import { type BucketRow, changeUse, listUsable } from '../buckets/queries.ts';
import { emitCharged, type OpenWindow } from '../windows/credit-window.ts';
import { lockExistingAccount, lockWindow, updateUsed, type WindowRow } from '../windows/queries.ts';

/** What a charge leaves: the use of the window, and what is available in the other buckets. `parts` are what those gave. */
export type Taken = { used: number; inBuckets: number; parts: Part[] };

/** Whether the versions by which the window was selected are the stored ones. The account stays locked. */
const isCurrent = async (tx: Tx, { userId, planVersion, bucketVersion }: OpenWindow): Promise<boolean> => {
  const account = await lockExistingAccount(tx, userId);
  return account?.planVersion === planVersion && account.bucketVersion === bucketVersion;
};

type Charge = { amount: number; clock: Clock };
type Locked = { window: WindowRow; buckets: BucketRow[] };

/** What the user has at `now`. Null when the selection is not the current one. */
const lockBuckets = async (tx: Tx, open: OpenWindow, now: Date): Promise<Locked | null> => {
  if (!(await isCurrent(tx, open))) return null;
  const buckets = await listUsable(tx, open.userId, now);
  const window = await lockWindow(tx, open.id);
  return window === null || window.endsAt <= now ? null : { window, buckets };
};

const write = async (
  tx: Tx,
  { id, used, userId }: WindowRow,
  { inWindow, parts }: Division,
): Promise<void> => {
  await changeUse(tx, userId, { parts, sign: 1 });
  if (inWindow > 0) await updateUsed(tx, id, used + inWindow);
};

/** Returns null, with nothing taken, when all buckets together have too little, or the selection is not the current one. */
export const chargeBuckets = async (tx: Tx, open: OpenWindow, charge: Charge): Promise<Taken | null> => {
  const { amount, clock } = charge;
  const now = clock();
  const locked = await lockBuckets(tx, open, now);
  if (locked === null) return null;
  const { window, buckets } = locked;
  const leftInWindow = window.limit - window.used;
  const sources = { window: { left: leftInWindow, endsAt: window.endsAt }, buckets, now };
  const division = divideCharge(sources, amount);
  if (division === null) return null;
  await write(tx, window, division);
  const used = window.used + division.inWindow;
  const left = leftInWindow + sumAvailable(buckets, now) - amount;
  await emitCharged(tx, open, { used, left, amount, clock });
  return { used, inBuckets: left - (window.limit - used), parts: division.parts };
};
