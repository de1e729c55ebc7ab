// One user's part in a job: the operation that changes one user, with the same rules, events and audit entry.
import type { JobKind, SkipReason } from '@shortlist/contracts/api/bulk';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { unconfirmedEndpoints } from '@shortlist/contracts/api/email';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { fullName } from '@shortlist/contracts/messages';
import type { Db, Tx } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import { AppError } from '@shortlist/kit/process/errors';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { insertMail, mailIdOf } from '../mail/queries.ts';
import { isTurnedOff } from '../mail/turned-off-queries.ts';
import { templateOf } from './job.rules.ts';
import { type ItemRow, type JobRow, markUndoable, type Settlement } from './queries.ts';

export type ChangeParts = { db: Db; log: Log; clock: Clock } & Record<
  'identity' | 'profile' | 'billing',
  ServiceClient
>;
type Change = { job: JobRow; item: ItemRow; caller: Caller };

/** Longer than billing's deadline, so that its error arrives. */
const PROVIDER_MS = 15_000;

const DONE: Settlement = { state: 'done', why: null, undoable: false };
const UNDOABLE: Settlement = { ...DONE, undoable: true };
const skipped = (why: SkipReason | ErrorCode): Settlement => ({ state: 'skipped', why, undoable: false });

const optional = <Name extends string, T>(name: Name, value: T | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: T };

/** The id of the item is that of the grant, so that a repeated attempt finds its own grant. */
const grant = async (
  { identity, profile, billing }: ChangeParts,
  { job: { options, reason }, item: { id, userId }, caller }: Change,
): Promise<Settlement> => {
  const { data: user } = await profile(profileEndpoints.getProfile, { id: userId }, asService());
  await identity(unconfirmedEndpoints.keepAccount, { userId, keptFor: 'plan' }, asService());
  const grantee = { userId, email: user.email, name: fullName(user) };
  const input = { ...grantee, grantId: id, reason, ...optional('until', options.until) };
  const { planState } = await billing(billingEndpoints.grantPlan, input, { caller, timeoutMs: PROVIDER_MS });
  return planState.granted?.key.endsWith(id) === true ? UNDOABLE : skipped('already_premium');
};

const revoke = async (
  { db, billing }: ChangeParts,
  { job: { options, reason }, item, caller }: Change,
): Promise<Settlement> => {
  const { userId } = item;
  const { data } = await billing(billingEndpoints.getSubscription, { userId }, { caller });
  const isAtEnd = options.when === 'period_end';
  if (data.plan === 'free' && data.problem === null) return skipped('already_free');
  if (isAtEnd && !data.renews && !item.undoable) return skipped('already_ending');
  if (isAtEnd) await markUndoable(db.manager, item.id);
  const input = { userId, reason, ...optional('when', options.when) };
  const call = { caller, timeoutMs: PROVIDER_MS };
  const { planState } = await billing(billingEndpoints.revokePlan, input, call);
  return isAtEnd ? { ...UNDOABLE, planVersion: planState.version } : DONE;
};

const takeBack = async (
  { billing }: ChangeParts,
  { job: { reason }, item: { userId, ofItem }, caller }: Change,
): Promise<Settlement> => {
  const input = { userId, grantId: ofItem ?? '', reason };
  const { ended } = await billing(billingEndpoints.endGrant, input, { caller, timeoutMs: PROVIDER_MS });
  return ended ? DONE : skipped('grant_over');
};

const isLeaving = async ({ identity }: ChangeParts, { item: { userId }, caller }: Change): Promise<boolean> =>
  (await identity(privacyEndpoints.getDeletion, { id: userId }, { caller })).data !== null;

const resume = async (parts: ChangeParts, change: Change): Promise<Settlement> => {
  const { billing } = parts;
  const {
    job: { reason },
    item: { userId, planVersion },
    caller,
  } = change;
  // The user would pay for another month of an account that is about to be deleted.
  if (await isLeaving(parts, change)) return skipped('identity.deletion_requested');
  const input = { userId, reason, ...optional('version', planVersion ?? undefined) };
  await billing(billingEndpoints.resumePlan, input, { caller, timeoutMs: PROVIDER_MS });
  return DONE;
};

/** bff ends the sessions when it consumes SessionsEnded. */
const endSessions = async (
  { identity }: ChangeParts,
  { job: { options, reason }, item: { userId: id }, caller }: Change,
): Promise<Settlement> => {
  const input = { id, reason, ...optional('withAccess', options.withAccess) };
  await identity(identityEndpoints.endSessions, input, { caller });
  return DONE;
};

const deleteUser = async (
  { identity, profile, log }: ChangeParts,
  { job: { id: jobId }, item: { userId: id }, caller }: Change,
): Promise<Settlement> => {
  await identity(privacyEndpoints.eraseUser, { id, jobId }, { caller });
  await profile(profileEndpoints.eraseUser, { id }, { caller }).catch((error: unknown) =>
    log.warn({ err: error }, 'profile not deleted; UserDeleted will'),
  );
  return DONE;
};

/** The email is stored with the result. */
const news = async (parts: ChangeParts, change: Change): Promise<Settlement> => {
  if (await isTurnedOff(parts.db.manager, change.item.userId, 'news')) return skipped('turned_off');
  return (await isLeaving(parts, change)) ? skipped('leaving') : DONE;
};

const CHANGES: Record<JobKind, (parts: ChangeParts, change: Change) => Promise<Settlement>> = {
  grant,
  revoke,
  take_back: takeBack,
  resume,
  end_sessions: endSessions,
  delete: deleteUser,
  // Stored with the result.
  message: () => Promise.resolve(DONE),
  news,
};

/** What a service says if there is nothing to change. */
const NOTHING_TO_DO: readonly ErrorCode[] = [
  'profile.not_found',
  'profile.deleted',
  'identity.user_not_found',
  'billing.user_not_found',
  'billing.renewal_not_stopped',
  'billing.plan_changed',
];

/** A service that is away or busy, or of the release before, which lacks an operation. */
const isPassing = ({ status, code }: AppError): boolean =>
  status >= 500 || status === 429 || code === 'request.not_found';

/** Whether what a job grants is over. Before that, a billing of the release before refuses a grant of more than a month. */
const isGrantOver = ({ options: { until } }: JobRow, now: Date): boolean =>
  until === undefined || new Date(until) <= now;

/** Changes one user, and returns the result. Throws what a later attempt may change. */
export const changeUser = async (parts: ChangeParts, change: Change): Promise<Settlement> => {
  // No admin is a user. To identity, who ends their own sessions is not another admin.
  if (change.item.userId === change.job.createdBy) return skipped('identity.user_not_found');
  try {
    return await CHANGES[change.job.kind](parts, change);
  } catch (error) {
    if (!(error instanceof AppError) || isPassing(error)) throw error;
    if (error.code === 'billing.grant_end') {
      if (!isGrantOver(change.job, parts.clock())) throw error;
      return skipped('grant_over');
    }
    if (NOTHING_TO_DO.includes(error.code)) return skipped(error.code);
    return { state: 'failed', why: error.code, undoable: false };
  }
};

/** Stores the email of a message in the transaction of its result, so that the user gets it once. */
export const storeMessage = async (tx: Tx, job: JobRow, { id, userId }: ItemRow): Promise<void> => {
  const template = templateOf(job.kind);
  if (template === null) return;
  const key = { template, userId, eventId: id };
  // Jobs from before texts were stored apart have their own.
  const { subject, text } = job.options;
  const data = subject === undefined || text === undefined ? { textId: job.id } : { subject, text };
  await insertMail(tx, { ...key, id: mailIdOf(key), data });
};
