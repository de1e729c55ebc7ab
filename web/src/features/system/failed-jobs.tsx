import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { FailedJob } from '@shortlist/contracts/api/system';
import { FAILED_JOBS_MAX } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { shortTime } from '../../lib/dates.ts';
import { May } from '../../lib/state/hooks.tsx';
import { failedJobText } from '../../messages/system-status.ts';
import { Button } from '../../ui/button.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { EmptyState, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { useSystemPress } from './use-system-change.ts';

type JobProps = { job: FailedJob };

const Retry = ({ job: { queue, jobId, name } }: JobProps): ReactNode => {
  const { isBusy, run } = useSystemPress(async (token) => {
    await call(publicEndpoints.retryJob, { queue, jobId }, { token });
    return failedJobText('retried');
  });
  return (
    <Button
      isSmall
      isBusy={isBusy}
      aria-label={failedJobText('retryThis', { name })}
      onClick={() => void run()}
    >
      {failedJobText('retry')}
    </Button>
  );
};

const JobLine = ({ job }: JobProps): ReactNode => {
  const { name, error, attempts, failedAt } = job;
  const tries = failedJobText('tries', { error, attempts });
  return (
    <Line title={name} note={failedAt === null ? tries : `${shortTime(failedAt)} · ${tries}`}>
      <May permission="system.manage">
        <Retry job={job} />
      </May>
    </Line>
  );
};

/** The jobs that failed at every try. */
export const FailedJobsPanel = (): ReactNode => (
  <Panel title={failedJobText('title')} note={failedJobText('note', { max: FAILED_JOBS_MAX })} isBare>
    <QueryView
      query={useQuery('system', publicEndpoints.failedJobs, {})}
      skeleton={<LinesSkeleton label={failedJobText('loading')} lines={2} />}
      errorTitle={failedJobText('couldNotLoad')}
    >
      {(jobs) =>
        jobs.length === 0 ? (
          <EmptyState>{failedJobText('none')}</EmptyState>
        ) : (
          <Lines>
            {jobs.map((job) => (
              <JobLine key={`${job.queue} ${job.jobId}`} job={job} />
            ))}
          </Lines>
        )
      }
    </QueryView>
  </Panel>
);
