import type { WebhookEndpoint } from '@shortlist/contracts/api/webhooks';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import Webhook from 'lucide-react/icons/webhook';
import { type ReactNode, useCallback, useState } from 'react';
import { Link } from 'react-router-dom';
import { useQuery } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { sentences } from '../../lib/sentences.ts';
import { webhooksText } from '../../messages/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, ICON } from '../../ui/inline.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import { CreateWebhook } from './webhook-form.tsx';
import { hostOf, phraseOf } from './webhooks.rules.ts';

/** The webhooks of the user, the newest first. */
export const useWebhooks = () => useQuery('connections', publicEndpoints.webhooks, {});

const State = ({ webhook: { stop, failingSince } }: { webhook: WebhookEndpoint }): ReactNode => {
  if (stop !== null) return <Badge>{webhooksText('off')}</Badge>;
  return failingSince === null ? null : <Badge tone="warn">{webhooksText('isFailing')}</Badge>;
};

const WebhookLine = ({ webhook }: { webhook: WebhookEndpoint }): ReactNode => {
  const host = hostOf(webhook);
  return (
    <Line
      icon={<Webhook {...ICON} />}
      title={
        <>
          <bdi>{host}</bdi> <State webhook={webhook} />
        </>
      }
      note={sentences([phraseOf(webhook.events), webhooksText('made', { day: shortDay(webhook.createdAt) })])}
    >
      <Link
        className="button is-icon"
        to={paths.webhook(webhook.id)}
        aria-label={webhooksText('open', { host })}
      >
        <ChevronRight {...ICON} />
      </Link>
    </Line>
  );
};

const NoWebhooks = (): ReactNode => (
  <EmptyState icon={<Webhook {...ICON} />} title={webhooksText('none')}>
    {webhooksText('noneText')}
  </EmptyState>
);

const WebhooksSkeleton = (): ReactNode => (
  <Skeleton label={webhooksText('loading')}>
    <Lines>
      <Line
        icon={<Webhook {...ICON} />}
        title={<Bar width="30%" height="1.5rem" />}
        note={<Bar width="70%" height="1.25rem" />}
      />
    </Lines>
  </Skeleton>
);

/** The addresses of the user's own systems that hear what happens. */
export const WebhooksPanel = (): ReactNode => {
  const query = useWebhooks();
  const [isCreating, setIsCreating] = useState(false);
  const close = useCallback(() => setIsCreating(false), []);
  const create = (
    <Button onClick={() => setIsCreating(true)}>
      <Plus {...ICON} />
      {webhooksText('create')}
    </Button>
  );
  return (
    <Panel title={webhooksText('title')} note={webhooksText('note')} end={create} isBare>
      <QueryView query={query} skeleton={<WebhooksSkeleton />} errorTitle={webhooksText('failed')}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <NoWebhooks />
          ) : (
            <Lines>
              {webhooks.map((webhook) => (
                <WebhookLine key={webhook.id} webhook={webhook} />
              ))}
            </Lines>
          )
        }
      </QueryView>
      {isCreating && <CreateWebhook onClose={close} />}
    </Panel>
  );
};
