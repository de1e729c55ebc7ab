import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
import { KeysPanel } from '../features/connections/keys-panel.tsx';
import { ToolsPanel } from '../features/connections/tools-panel.tsx';
import { WebhooksPanel } from '../features/webhooks/webhooks-panel.tsx';
import { useApiKeys, useConnections } from '../lib/data/use-tools.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { shellText } from '../messages/shell.ts';
import { headingText } from '../messages/headings.ts';
import { connectionsText } from '../messages/connections.ts';
import { ExternalLink, ICON } from '../ui/inline.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { isSettled } from '../ui/query-view.tsx';

const TITLE = shellText('connections');
const DESCRIPTION = headingText('connectionsNote');

const ConnectionsPage = (): ReactNode => {
  usePageInfo({ pageName: 'connections', pageTitle: TITLE, pageDescription: DESCRIPTION });
  const hasTools = isSettled(useConnections());
  const hasKeys = isSettled(useApiKeys());
  return (
    <>
      <PageHeader
        title={TITLE}
        description={DESCRIPTION}
        actions={
          <ExternalLink className="button" href={paths.apiReference}>
            {connectionsText('reference')}
            <ArrowUpRight {...ICON} />
          </ExternalLink>
        }
      />
      <div className="panel-columns">
        <div className="stack sheets">
          <ToolsPanel />
          {/* Neither while a panel above it may still grow. */}
          {hasTools && <KeysPanel />}
        </div>
        {hasTools && hasKeys && <WebhooksPanel />}
      </div>
    </>
  );
};

export default ConnectionsPage;
