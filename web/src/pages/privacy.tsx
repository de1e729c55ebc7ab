import type { ReactNode } from 'react';
import { DeletePanel } from '../features/privacy/delete-panel.tsx';
import { DownloadPanel, useDataExport } from '../features/privacy/download-panel.tsx';
import { useUser } from '../lib/data/use-account.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { shellText } from '../messages/shell.ts';
import { headingText } from '../messages/headings.ts';
import { privacyText } from '../messages/privacy.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { isSettled, QueryView } from '../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../ui/states.tsx';

const TITLE = shellText('yourData');
const DESCRIPTION = headingText('privacyNote');

const PrivacySkeleton = (): ReactNode => (
  <Skeleton label={privacyText('loading')}>
    <div className="stack sheets">
      <SkeletonPanel lines={2} />
      <SkeletonPanel lines={2} />
    </div>
  </Skeleton>
);

const PrivacyPage = (): ReactNode => {
  const user = useUser();
  const file = useDataExport();
  const arePanelsSettled = [user, file].every(isSettled);
  usePageInfo({ pageName: 'privacy', pageTitle: TITLE, pageDescription: DESCRIPTION });
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <div className="measure">
        {!arePanelsSettled && <PrivacySkeleton />}
        {/* The panels load at the same time, hidden until none moves the other. */}
        <div hidden={!arePanelsSettled}>
          <div className="stack sheets">
            <QueryView query={file} skeleton={null} errorTitle={privacyText('failed')}>
              {(latest) => <DownloadPanel file={latest} onChanged={file.mutate} />}
            </QueryView>
            <QueryView query={user} skeleton={null} errorTitle={privacyText('failed')}>
              {(account) => <DeletePanel user={account} />}
            </QueryView>
          </div>
        </div>
      </div>
    </>
  );
};

export default PrivacyPage;
