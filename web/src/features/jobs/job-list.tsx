import type { NamedJob } from '@shortlist/contracts/api/bulk';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { useUrlPages } from '../../lib/url-filters.ts';
import { bulkText } from '../../messages/bulk.ts';
import { shellText } from '../../messages/shell.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Pager } from '../../ui/list-frame.tsx';
import { Line, Lines } from '../../ui/panel.tsx';
import { EmptyState, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { authorText, JobProgress } from './job-state.tsx';
import { useJobs } from './use-jobs.ts';

const JobLine = ({ job }: { job: NamedJob }): ReactNode => (
  <Line
    title={
      <Link className="job-link" to={paths.adminJob(job.id)}>
        {bulkText(`job_${job.kind}`)}
      </Link>
    }
    note={`${authorText(job)} · ${job.reason}`}
    below={<JobProgress job={job} />}
  />
);

type Page = { data: NamedJob[]; next: string | null };

const Jobs = ({ data, next }: Page): ReactNode => {
  const { cursor, pageNumber, goNext, goPrevious } = useUrlPages();
  if (data.length === 0)
    return (
      <EmptyState action={<ButtonLink to={paths.userList}>{bulkText('toUsers')}</ButtonLink>}>
        {bulkText('none')}
      </EmptyState>
    );
  return (
    <>
      <Lines>
        {data.map((job) => (
          <JobLine key={job.id} job={job} />
        ))}
      </Lines>
      {(next !== null || cursor !== '') && (
        <Pager
          summary={bulkText('page', { page: pageNumber })}
          previous={bulkText('previous')}
          next={bulkText('next')}
          onPrevious={cursor === '' ? null : goPrevious}
          onNext={next === null ? null : () => goNext(next)}
        />
      )}
    </>
  );
};

/** The jobs of all admins, newest first. */
export const JobList = (): ReactNode => {
  const { cursor } = useUrlPages();
  return (
    <section className="panel" aria-label={shellText('jobs')}>
      <QueryView
        query={useJobs(cursor)}
        skeleton={<LinesSkeleton label={bulkText('loading')} lines={6} />}
        errorTitle={bulkText('failed')}
      >
        {(page) => <Jobs {...page} />}
      </QueryView>
    </section>
  );
};
