import { isDeepStrictEqual } from 'node:util';
import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { NoticeChange, NoticeFields } from '@shortlist/contracts/api/notices';
import { noticeChanged } from '@shortlist/contracts/events/profile';
import { NOTICES_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import {
  columnsOf,
  countNotices,
  findNotice,
  insertNoticeIfAbsent,
  lockNotice,
  lockNotices,
  type NoticeRow,
  presentNotice,
  updateNotice,
} from './queries.ts';

type Author = { caller: Caller; clock: Clock };
type Action = 'notice.create' | 'notice.change' | 'notice.end';
type States = { before: NoticeRow | null; after: NoticeRow };

const stateOf = (row: NoticeRow): object => {
  const { id: _id, version: _version, ...state } = presentNotice(row);
  return state;
};

/** Records a change, and has the open pages of users read the notices again. */
const announce = async (
  tx: Tx,
  action: Action,
  { before, after }: States,
  { caller, clock }: Author,
): Promise<void> => {
  const { id: targetId } = after;
  const states = { before: before && stateOf(before), after: stateOf(after) };
  await recordAdminChange(tx, { action, targetId, ...states, caller, clock });
  await emit(tx, noticeChanged, { subject: targetId, data: {}, clock });
};

const assertNotPast = (until: Date, now: Date): void => {
  if (until <= now)
    throw createFieldError('request.invalid', 'until', { message: 'The end must be in the future' });
};

/** Creates a notice, unless there is one with this id. */
export const createNotice = async (
  tx: Tx,
  { noticeId: id, ...fields }: NoticeFields & { noticeId: string },
  author: Author,
): Promise<void> => {
  const now = author.clock();
  await lockNotices(tx, now);
  if ((await findNotice(tx, id)) !== null) return;
  const notice = { ...columnsOf(fields), id, version: 1 };
  assertNotPast(notice.untilAt, now);
  if ((await countNotices(tx, now)) >= NOTICES_MAX) throw createError('profile.notices_full');
  if (!(await insertNoticeIfAbsent(tx, notice))) return; // by the same request at once
  await announce(tx, 'notice.create', { before: null, after: notice }, author);
};

const getLocked = async (tx: Tx, id: string): Promise<NoticeRow> => {
  const notice = await lockNotice(tx, id);
  if (notice === null) throw createError('profile.notice_not_found');
  return notice;
};

/**
 * Changes a notice that is not over. One that was ended in the meantime stays so. Throws `profile.notice_conflict` if `version` is given and
 * the notice has become another one since.
 */
export const changeNotice = async (
  tx: Tx,
  { noticeId: id, version, ...fields }: NoticeChange & { noticeId: string },
  author: Author,
): Promise<void> => {
  const now = author.clock();
  const before = await getLocked(tx, id);
  if (before.untilAt <= now) throw createError('profile.notice_over');
  const change = columnsOf(fields);
  assertNotPast(change.untilAt, now);
  const after = { ...before, ...change };
  if (version !== undefined && version !== before.version) {
    // The same change again, whose response was lost, is no conflict.
    if (isDeepStrictEqual(stateOf(after), stateOf(before))) return;
    throw createError('profile.notice_conflict');
  }
  await updateNotice(tx, id, change);
  await announce(tx, 'notice.change', { before, after }, author);
};

/** Ends a notice now. */
export const endNotice = async (tx: Tx, id: string, author: Author): Promise<void> => {
  const untilAt = author.clock();
  const before = await getLocked(tx, id);
  if (before.untilAt <= untilAt) return;
  await updateNotice(tx, id, { untilAt });
  await announce(tx, 'notice.end', { before, after: { ...before, untilAt } }, author);
};
