import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { cancelDeletion, eraseDueUser, remindDeletions, requestDeletion } from './request-deletion.ts';
import { findDeletion, listDueDeletions, presentDeletion } from './queries.ts';

type Parts = { db: Db; clock: Clock };

/** Deletions that one run of the job completes. */
const DUE_MAX = 100;

const addJobEndpoints = (router: Router, { db, clock }: Parts): void => {
  router.add(privacyEndpoints.remindDeletions, () => remindDeletions(db, clock));
  router.add(privacyEndpoints.listDueDeletions, async () => ({
    data: (await listDueDeletions(db.manager, clock(), DUE_MAX)).map(({ id, accountId, dueAt }) => ({
      userId: accountId,
      deletionId: id,
      dueAt: dueAt.toISOString(),
    })),
  }));
  router.add(privacyEndpoints.eraseDueUser, async ({ input: { deletionId } }) => ({
    deleted: await eraseDueUser(db, { deletionId, clock }),
  }));
};

export const addDeletionEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock } = parts;
  addJobEndpoints(router, parts);

  router.add(privacyEndpoints.getDeletion, async ({ input: { id } }) => {
    const deletion = await findDeletion(db.manager, id);
    return { data: deletion && presentDeletion(deletion) };
  });

  router.add(
    privacyEndpoints.requestDeletion,
    async ({ input: { keepUntil = null, reason = '', ...input }, caller }) => {
      const details = { ...input, reason, keepUntil: keepUntil === null ? null : new Date(keepUntil) };
      const { deletion, generation } = await inTransaction(db, (tx) =>
        requestDeletion(tx, { ...details, caller, clock }),
      );
      return { data: presentDeletion(deletion), generation };
    },
  );

  router.add(privacyEndpoints.cancelDeletion, async ({ input: { id }, caller }) => {
    await inTransaction(db, (tx) => cancelDeletion(tx, { id, caller, clock }));
    return {};
  });
};
