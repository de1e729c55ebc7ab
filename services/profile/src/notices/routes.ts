import { noticeEndpoints } from '@shortlist/contracts/api/notices';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { findProfile } from '../profiles/queries.ts';
import { changeNotice, createNotice, endNotice } from './change-notices.ts';
import { audiencesAt, currentNoticesOf } from './notice.rules.ts';
import { listNotices, listNoticesFor, presentNotice } from './queries.ts';

export const addNoticeEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(noticeEndpoints.listNotices, async () => ({
    data: (await listNotices(db.manager)).map(presentNotice),
  }));

  router.add(noticeEndpoints.createNotice, async ({ input, caller }) => {
    await inTransaction(db, (tx) => createNotice(tx, input, { caller, clock }));
    return {};
  });

  router.add(noticeEndpoints.changeNotice, async ({ input, caller }) => {
    await inTransaction(db, (tx) => changeNotice(tx, input, { caller, clock }));
    return {};
  });

  router.add(noticeEndpoints.endNotice, async ({ input: { noticeId }, caller }) => {
    await inTransaction(db, (tx) => endNotice(tx, noticeId, { caller, clock }));
    return {};
  });

  router.add(noticeEndpoints.currentNotices, async ({ input: { userId } }) => {
    const now = clock();
    const profile = await findProfile(db.manager, userId);
    const audiences = audiencesAt(profile?.premiumUntil ?? null, now);
    return { data: currentNoticesOf(await listNoticesFor(db.manager, audiences, now), now) };
  });
};
