import type { Notice, NoticeAudience, NoticeFields, NoticeTone } from '@shortlist/contracts/api/notices';
import { NOTICES_LISTED } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { In, MoreThan } from 'typeorm';

/** What admins announce to users. The audit log says who did. */
export const noticeEntity = defineEntity('notice', 'notices', {
  id: { ...column.uuid, primary: true },
  audience: column.varchar<NoticeAudience>(10),
  tone: column.varchar<NoticeTone>(10),
  text: column.varchar(300),
  linkLabel: column.varchar(40),
  linkTo: column.varchar(300),
  fromAt: column.dateTime,
  /** When it ends or was ended. */
  untilAt: column.dateTime,
  /** Counts the changes, so that of two admins who change it at once the second learns of the first. */
  version: { ...column.unsigned, default: 1 },
});
export type NoticeRow = RowOf<typeof noticeEntity>;

export const presentNotice = ({ fromAt, untilAt, ...notice }: NoticeRow): Notice => ({
  ...notice,
  from: fromAt.toISOString(),
  until: untilAt.toISOString(),
});

export const columnsOf = ({ from, until, ...fields }: NoticeFields) => ({
  ...fields,
  fromAt: new Date(from),
  untilAt: new Date(until),
});

export const listNotices = (tx: Tx): Promise<NoticeRow[]> =>
  tx.getRepository(noticeEntity).find({ order: { untilAt: 'DESC', id: 'DESC' }, take: NOTICES_LISTED });

/** The current and the planned ones for these audiences, the newest first. */
export const listNoticesFor = (tx: Tx, audiences: NoticeAudience[], now: Date): Promise<NoticeRow[]> =>
  tx.getRepository(noticeEntity).find({
    where: { untilAt: MoreThan(now), audience: In(audiences) },
    order: { fromAt: 'DESC', id: 'DESC' },
  });

/** Those that are not over. */
export const countNotices = (tx: Tx, now: Date): Promise<number> =>
  tx.getRepository(noticeEntity).countBy({ untilAt: MoreThan(now) });

export const findNotice = (tx: Tx, id: string): Promise<NoticeRow | null> =>
  tx.getRepository(noticeEntity).findOneBy({ id });

/** Locks the row until the transaction ends, so that a notice is either changed or ended first. */
export const lockNotice = (tx: Tx, id: string): Promise<NoticeRow | null> =>
  tx.getRepository(noticeEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

/** Locks those that are not over, so that the last room among them is taken once. Those that are counted next include what had it before. */
export const lockNotices = async (tx: Tx, now: Date): Promise<void> => {
  await tx.getRepository(noticeEntity).find({
    select: { id: true },
    where: { untilAt: MoreThan(now) },
    order: { untilAt: 'ASC', id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
};

export const insertNoticeIfAbsent = async (tx: Tx, notice: NoticeRow): Promise<boolean> =>
  (await insertIfAbsent(tx, noticeEntity, notice)) === 1;

type NoticeChange = Partial<Omit<NoticeRow, 'id' | 'version'>>;

export const updateNotice = async (tx: Tx, id: string, change: NoticeChange): Promise<void> => {
  await tx.getRepository(noticeEntity).update({ id }, { ...change, version: () => 'version + 1' });
};
