import { recordAdminChange } from '@shortlist/audit/audit-log';
import { bulkRecordEndpoint } from '@shortlist/contracts/api/bulk';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';

/** worker, which has the jobs, has no audit log. */
export const addBulkJobEndpoint = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(bulkRecordEndpoint, async ({ input: { jobId: job, ...entry }, caller }) => {
    const action = entry.step === 'export' ? 'users.export' : 'users.change_many';
    const change = { action, targetId: caller.userId ?? '', after: { job, ...entry } } as const;
    await inTransaction(db, (tx) => recordAdminChange(tx, { ...change, caller, clock }));
    return {};
  });
};
