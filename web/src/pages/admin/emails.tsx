import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ExampleMail } from '../../features/emails/example-mail.tsx';
import { ExampleMailList } from '../../features/emails/example-mail-list.tsx';
import { useQuery } from '../../lib/data/use-query.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { emailsText } from '../../messages/emails.ts';
import { headingText } from '../../messages/headings.ts';
import { shellText } from '../../messages/shell.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const TITLE = shellText('emails');

const AllEmails = (): ReactNode => (
  <QueryView
    query={useQuery('system', publicEndpoints.exampleMails, {})}
    skeleton={
      <Skeleton label={emailsText('loading')}>
        <SkeletonPanel lines={10} />
      </Skeleton>
    }
    errorTitle={emailsText('failed')}
  >
    {(mails) => <ExampleMailList mails={mails} />}
  </QueryView>
);

/** The emails of the product, or the one that the address names. */
const EmailsPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-emails', pageTitle: TITLE, pageDescription: '' });
  const name = useSearchParams()[0].get('name');
  return (
    <>
      <PageHeader title={TITLE} description={headingText('emailsNote')} />
      {name === null ? <AllEmails /> : <ExampleMail key={name} name={name} />}
    </>
  );
};

export default EmailsPage;
