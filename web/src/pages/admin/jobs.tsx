import { BULK_JOB_DAYS, USER_ID } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { JobDetails } from '../../features/jobs/job-details.tsx';
import { JobList } from '../../features/jobs/job-list.tsx';
import { paths } from '../../lib/paths.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { bulkText } from '../../messages/bulk.ts';
import { headingText } from '../../messages/headings.ts';
import { shellText } from '../../messages/shell.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = shellText('jobs');

/** The changes of many users, or one of them. An id that is none shows all. */
const JobsPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-jobs', pageTitle: TITLE, pageDescription: '' });
  const jobId = useSearchParams()[0].get('job')?.toLowerCase() ?? '';
  if (!USER_ID.test(jobId))
    return (
      <>
        <PageHeader title={TITLE} description={headingText('jobsNote', { days: BULK_JOB_DAYS })} />
        <JobList />
      </>
    );
  return (
    <>
      <PageHeader
        title={TITLE}
        actions={<ButtonLink to={paths.adminJobs}>{bulkText('allJobs')}</ButtonLink>}
      />
      <JobDetails key={jobId} jobId={jobId} />
    </>
  );
};

export default JobsPage;
