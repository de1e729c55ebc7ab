import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { JobQueue } from '@shortlist/kit/messaging/jobs';
import type { Clock } from '@shortlist/kit/process/clock';
import { EXPORT_JOB, type ExportJob } from '../jobs.ts';

const CALL = asService({ timeoutMs: 10_000 });

type Parts = { identity: ServiceClient; exportQueue: JobQueue<ExportJob>; clock: Clock };

/** Enqueues jobs for exports whose jobs were lost or died. identity decides which exports are written. */
export const sweepExports = async ({ identity, exportQueue, clock }: Parts): Promise<void> => {
  const { data } = await identity(privacyEndpoints.listWaitingExports, {}, CALL);
  for (const exportId of data)
    await exportQueue.add(EXPORT_JOB, { exportId }, { id: `${exportId}-${clock().getTime()}` });
};
