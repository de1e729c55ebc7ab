import type { ItemState, NamedJob } from '@shortlist/contracts/api/bulk';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { seconds } from '@shortlist/contracts/durations';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { useAdminToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';

const PROGRESS_MS = seconds(3);

const isRunning = ({ state }: NamedJob): boolean => state === 'running';

/** A page of the jobs, read again while one of them is running. */
export const useJobs = (before: string) =>
  useQuery('directory', publicEndpoints.bulkJobs, before === '' ? {} : { before }, {
    keepPreviousData: true,
    refreshInterval: (latest) => (latest?.data.some(isRunning) === true ? PROGRESS_MS : 0),
  });

export const useJob = (jobId: string) =>
  useQuery(
    'directory',
    publicEndpoints.bulkJob,
    { jobId },
    { refreshInterval: (latest) => (latest !== undefined && isRunning(latest) ? PROGRESS_MS : 0) },
  );

type ItemsQuery = { job: NamedJob; state: ItemState | ''; after: string };

/** A page of the results, read again while the job is running. */
export const useItems = ({ job, state, after }: ItemsQuery) =>
  useQuery(
    'directory',
    publicEndpoints.bulkItems,
    {
      jobId: job.id,
      ...(state === '' ? {} : { state }),
      ...(after === '' ? {} : { after: Number(after) }),
    },
    { keepPreviousData: true, refreshInterval: isRunning(job) ? PROGRESS_MS : 0 },
  );

const STEPS = {
  pause: publicEndpoints.pauseBulkJob,
  continue: publicEndpoints.continueBulkJob,
  cancel: publicEndpoints.cancelBulkJob,
} as const;
export type Step = keyof typeof STEPS;

/** Also after a failure, the page shows what became of the job. */
export const useStep = (jobId: string) => {
  const token = useAdminToken();
  return useCommand(async (step: Step): Promise<void> => {
    try {
      await call(STEPS[step], { jobId }, { token });
    } finally {
      void revalidate(['directory']);
    }
  });
};

/** Starts the job that undoes another. */
export const useUndo = (jobId: string, onStarted: (undo: NamedJob) => Promise<void>) => {
  const token = useAdminToken();
  return useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.undoBulkJob, { jobId }, { token });
    await revalidate(['directory']);
    await onStarted(data);
  });
};
