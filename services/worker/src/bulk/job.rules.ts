// What can be undone of a change of many users: premium that the job itself has granted, and a stop of the renewal, until the period ends.
// Sessions, emails, deletions and plans that have ended cannot come back.
import { type BulkOptions, type JobKind, type JobState, UNDO_KINDS } from '@shortlist/contracts/api/bulk';

/** The kind of job that undoes another; null if nothing does. */
export const undoKindOf = ({ kind, options }: { kind: JobKind; options: BulkOptions }): JobKind | null => {
  const isEndOfPlan = kind === 'revoke' && options.when !== 'period_end';
  return isEndOfPlan ? null : (UNDO_KINDS[kind] ?? null);
};

/** The email that a job of this kind sends to each of its users; null if it sends none. */
export const templateOf = (kind: JobKind): 'message' | 'news' | null =>
  kind === 'message' || kind === 'news' ? kind : null;

export const hasEnded = ({ state }: { state: JobState }): boolean => state === 'canceled' || state === 'done';

/** Whether a job waits for billing, and behind it for Stripe, whose calls users need as well. */
export const isPaced = (kind: JobKind): boolean =>
  kind === 'grant' || kind === 'revoke' || kind === 'take_back' || kind === 'resume';
