import type { WebhookDelivery, WebhookTry } from '@shortlist/contracts/api/webhooks';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { seconds } from '@shortlist/contracts/durations';
import { WEBHOOK_LOG_DAYS } from '@shortlist/contracts/limits';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortTime } from '../../lib/dates.ts';
import { useAppDispatch, useUserToken } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { tryErrorText, webhookEventText, webhooksText } from '../../messages/webhooks.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Pager } from '../../ui/list-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';

const STATE_TEXTS = {
  delivered: 'delivered',
  pending: 'pending',
  failed: 'failedState',
  canceled: 'canceled',
} as const;

const responseOf = ({ status, error }: WebhookTry): string =>
  error === null ? String(status) : tryErrorText(error);

const Tries = ({ tries }: { tries: readonly WebhookTry[] }): ReactNode => (
  <table className="diff num">
    <caption className="visually-hidden">{webhooksText('tries')}</caption>
    <thead>
      <tr>
        <th scope="col">{webhooksText('when')}</th>
        <th scope="col">{webhooksText('response')}</th>
        <th scope="col">{webhooksText('duration')}</th>
      </tr>
    </thead>
    <tbody>
      {tries.map((tried) => (
        <tr key={tried.at}>
          <td>{shortTime(tried.at)}</td>
          <td className="diff-now">{responseOf(tried)}</td>
          <td>{webhooksText('milliseconds', { count: tried.milliseconds })}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

type DeliveryProps = { endpointId: string; delivery: WebhookDelivery };

const Opened = ({ endpointId, delivery: { id: deliveryId, payload, tries } }: DeliveryProps): ReactNode => {
  const token = useUserToken();
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.redeliver, { endpointId, deliveryId }, { token });
    dispatch(toasts.added(webhooksText('sentAgain')));
    await revalidate(['connections']);
  });
  return (
    <div className="opened">
      {tries.length === 0 ? <p>{webhooksText('noTries')}</p> : <Tries tries={tries} />}
      <pre className="payload" tabIndex={0} aria-label={webhooksText('payload')}>
        {JSON.stringify(JSON.parse(payload), null, 2)}
      </pre>
      {failure !== null && <FailureAlert failure={failure} />}
      <div>
        <Button isSmall isBusy={isBusy} onClick={() => void run()}>
          {webhooksText('again')}
        </Button>
      </div>
    </div>
  );
};

/** A message: when it happened, what, and whether it arrived. It opens to its content and its tries. */
const DeliveryLine = (props: DeliveryProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const { createdAt, event, state, nextTryAt, tries } = props.delivery;
  const last = tries.at(-1);
  return (
    <li>
      <details className="opens" onToggle={(toggled) => setIsOpen(toggled.currentTarget.open)}>
        <summary>
          <time className="num" dateTime={createdAt}>
            {shortTime(createdAt)}
          </time>{' '}
          <span>
            <strong>{webhookEventText(event)}</strong> <small>{event}</small>
          </span>{' '}
          <span>
            {webhooksText(STATE_TEXTS[state])}{' '}
            {nextTryAt !== null && tries.length > 0 && (
              <small>{webhooksText('nextTry', { time: shortTime(nextTryAt) })}</small>
            )}
          </span>{' '}
          <span>{last !== undefined && responseOf(last)}</span>
          <ChevronDown {...ICON} />
        </summary>
        {isOpen && <Opened {...props} />}
      </details>
    </li>
  );
};

type Page = { data: WebhookDelivery[]; next: string | null };

/** The log of a webhook. No event says that a message was tried, so a page that is visible reads it again and again. */
const useLog = (endpointId: string, before: string | undefined) => {
  const input = { endpointId, ...(before === undefined ? {} : { before }) };
  const options = { keepPreviousData: true, refreshInterval: seconds(3) };
  return useQuery('connections', publicEndpoints.webhookDeliveries, input, options);
};

const LogSkeleton = (): ReactNode => (
  <Skeleton label={webhooksText('logLoading')}>
    <div className="panel-inset">
      <Bar width="60%" height="1.25rem" />
    </div>
  </Skeleton>
);

type LogPageProps = {
  endpointId: string;
  page: Page;
  cursors: string[];
  onCursorsChange: (cursors: string[]) => void;
};

const LogPage = ({ endpointId, page: { data, next }, cursors, onCursorsChange }: LogPageProps): ReactNode => {
  if (data.length === 0 && cursors.length === 0) return <EmptyState>{webhooksText('logEmpty')}</EmptyState>;
  const number = cursors.length + 1;
  return (
    <>
      <ul className="opening-lines">
        {data.map((delivery) => (
          <DeliveryLine key={delivery.id} endpointId={endpointId} delivery={delivery} />
        ))}
      </ul>
      {(next !== null || cursors.length > 0) && (
        <Pager
          summary={
            number === 1
              ? webhooksText('latest', { count: data.length })
              : webhooksText('page', { page: number })
          }
          previous={webhooksText('newer')}
          next={webhooksText('older')}
          onPrevious={cursors.length === 0 ? null : () => onCursorsChange(cursors.slice(0, -1))}
          onNext={next === null ? null : () => onCursorsChange([...cursors, next])}
        />
      )}
    </>
  );
};

/** What was sent to a webhook, the newest first. */
export const DeliveryLog = ({ endpointId }: { endpointId: string }): ReactNode => {
  const [cursors, setCursors] = useState<string[]>([]);
  return (
    <Panel title={webhooksText('log')} note={webhooksText('logNote', { days: WEBHOOK_LOG_DAYS })} isBare>
      <QueryView
        query={useLog(endpointId, cursors.at(-1))}
        skeleton={<LogSkeleton />}
        errorTitle={webhooksText('logFailed')}
      >
        {(page) => (
          <LogPage endpointId={endpointId} page={page} cursors={cursors} onCursorsChange={setCursors} />
        )}
      </QueryView>
    </Panel>
  );
};
