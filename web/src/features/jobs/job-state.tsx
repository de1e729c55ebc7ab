import type { NamedJob } from '@shortlist/contracts/api/bulk';
import type { ReactNode } from 'react';
import { shortTime } from '../../lib/dates.ts';
import { bulkText } from '../../messages/bulk.ts';

const stateText = ({ state, isResolved, total, done, skipped, failed }: NamedJob): string => {
  if (state === 'running' && !isResolved) return bulkText('finding', { count: total });
  return bulkText(state, { handled: done + skipped + failed, total });
};

export const authorText = ({ createdAt, author }: NamedJob): string =>
  bulkText('by', { time: shortTime(createdAt), author: author === '' ? bulkText('formerAdmin') : author });

/** How far a job is, and with which results. */
export const JobProgress = ({ job }: { job: NamedJob }): ReactNode => {
  const { total, done, skipped, failed, problem, isResolved } = job;
  return (
    <div className="stack stack-s job-progress">
      <p className="num">{stateText(job)}</p>
      <progress
        className="download-progress"
        aria-label={bulkText('progress')}
        max={Math.max(total, 1)}
        value={isResolved ? done + skipped + failed : 0}
      />
      <p className="small muted num">{bulkText('counts', { done, skipped, failed })}</p>
      {problem !== null && <p>{bulkText(problem)}</p>}
    </div>
  );
};
