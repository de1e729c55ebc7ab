import Megaphone from 'lucide-react/icons/megaphone';
import { type ReactNode, useCallback, useState } from 'react';
import { CreateNotice } from '../../features/notices/notice-form.tsx';
import { NoticeList, useNotices } from '../../features/notices/notice-list.tsx';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { headingText } from '../../messages/headings.ts';
import { noticesText } from '../../messages/notices.ts';
import { shellText } from '../../messages/shell.ts';
import { Button } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const TITLE = shellText('notices');

/** What admins announce to users. */
const NoticesPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-notices', pageTitle: TITLE, pageDescription: '' });
  const [isCreating, setIsCreating] = useState(false);
  const close = useCallback(() => setIsCreating(false), []);
  return (
    <>
      <PageHeader
        title={TITLE}
        description={headingText('noticesNote')}
        actions={
          <Button variant="primary" onClick={() => setIsCreating(true)}>
            <Megaphone {...ICON} />
            {noticesText('create')}
          </Button>
        }
      />
      <QueryView
        query={useNotices()}
        skeleton={
          <Skeleton label={noticesText('loading')}>
            <SkeletonPanel lines={3} />
          </Skeleton>
        }
        errorTitle={noticesText('failed')}
      >
        {(notices) => <NoticeList notices={notices} />}
      </QueryView>
      {isCreating && <CreateNotice onClose={close} />}
    </>
  );
};

export default NoticesPage;
