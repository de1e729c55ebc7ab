import type { WebhookEndpoint } from '@shortlist/contracts/api/webhooks';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { DeliveryLog } from '../features/webhooks/delivery-log.tsx';
import { WebhookDetails } from '../features/webhooks/webhook-details.tsx';
import { hostOf } from '../features/webhooks/webhooks.rules.ts';
import { useWebhooks } from '../features/webhooks/webhooks-panel.tsx';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { webhooksText } from '../messages/webhooks.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, QueryView } from '../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../ui/states.tsx';

const TITLE = webhooksText('pageTitle');

const Found = ({ webhook }: { webhook: WebhookEndpoint }): ReactNode => (
  <>
    <PageHeader
      title={hostOf(webhook)}
      actions={<ButtonLink to={paths.connections}>{webhooksText('back')}</ButtonLink>}
    />
    <div className="stack sheets">
      <WebhookDetails webhook={webhook} />
      <DeliveryLog endpointId={webhook.id} />
    </div>
  </>
);

const NotFound = (): ReactNode => (
  <>
    <PageHeader title={webhooksText('notFound')} />
    <EmptyState action={<ButtonLink to={paths.connections}>{webhooksText('back')}</ButtonLink>}>
      {webhooksText('notFoundText')}
    </EmptyState>
  </>
);

const WebhookPage = (): ReactNode => {
  usePageInfo({ pageName: 'connections', pageTitle: TITLE, pageDescription: '' });
  const id = useSearchParams()[0].get('id');
  const skeleton = (
    <Skeleton label={webhooksText('loading')}>
      <SkeletonPanel lines={3} />
    </Skeleton>
  );
  return (
    <QueryView query={useWebhooks()} skeleton={skeleton} errorTitle={webhooksText('pageFailed')}>
      {(webhooks) => {
        const webhook = webhooks.find((candidate) => candidate.id === id);
        return webhook === undefined ? <NotFound /> : <Found webhook={webhook} />;
      }}
    </QueryView>
  );
};

export default WebhookPage;
