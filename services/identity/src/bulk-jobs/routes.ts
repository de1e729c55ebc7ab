import { recordAdminChange } from '@shortlist/audit/audit-log';
import { bulkRecordEndpoint } from '@shortlist/contracts/api/bulk';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';

/** worker, which has the jobs, has no audit log. */
export const addBulkJobEndpoint = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(bulkRecordEndpoint, async ({ input: { jobId: job, ...step }, caller }) => {
    const change = { action: 'users.change_many', targetId: caller.userId ?? '' } as const;
    await inTransaction(db, (tx) =>
      recordAdminChange(tx, { ...change, after: { job, ...step }, caller, clock }),
    );
    return {};
  });
};
