import type { ReactNode } from 'react';
import { ToolsTable, useRegisteredTools } from '../../features/connections/registered-tools.tsx';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { headingText } from '../../messages/headings.ts';
import { shellText } from '../../messages/shell.ts';
import { toolsText } from '../../messages/tools.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const TITLE = shellText('connectedTools');

/** The apps that users can connect, for those who may disable them. */
const ToolsPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-tools', pageTitle: TITLE, pageDescription: '' });
  return (
    <>
      <PageHeader title={TITLE} description={headingText('toolsNote')} />
      <QueryView
        query={useRegisteredTools()}
        skeleton={
          <Skeleton label={toolsText('loading')}>
            <SkeletonPanel lines={5} />
          </Skeleton>
        }
        errorTitle={toolsText('failed')}
      >
        {(tools) => <ToolsTable tools={tools} />}
      </QueryView>
    </>
  );
};

export default ToolsPage;
