import type { ReactNode } from 'react';
import { ToolsTable, useRegisteredTools } from '../../features/connections/registered-tools.tsx';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { toolsText } from '../../messages/tools.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const COMMAND = 'shortlist tool register';

const description = toolsText.rich<ReactNode>('description', {
  command: <code key="command">{COMMAND}</code>,
});

/** The apps that users can connect, for those who may disable them. */
const ToolsPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-tools', pageTitle: toolsText('title'), pageDescription: '' });
  return (
    <>
      <PageHeader title={toolsText('title')} description={description} />
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
