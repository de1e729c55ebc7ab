import { publicEndpoints } from '@shortlist/contracts/api/public';
import {
  STRIPE_EVENT_STATES,
  type StripeEventState,
  type StripeEventView,
  type StripeStatus,
} from '@shortlist/contracts/api/system';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ReactNode, useCallback, useId, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { tableTime } from '../../lib/dates.ts';
import { May } from '../../lib/state/hooks.tsx';
import { stripeEventText } from '../../messages/system-status.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Pager } from '../../ui/list-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { useSystemChange, useSystemPress } from './use-system-change.ts';

type EventProps = { event: StripeEventView };

const Replay = ({ event: { eventId, type } }: EventProps): ReactNode => {
  const { isBusy, run } = useSystemPress(async (token) => {
    const { data } = await call(publicEndpoints.replayStripeEvent, { eventId }, { token });
    return stripeEventText('replayed', data);
  });
  return (
    <Button
      isSmall
      isBusy={isBusy}
      aria-label={stripeEventText('replayThis', { type, id: eventId })}
      onClick={() => void run()}
    >
      {stripeEventText('replay')}
    </Button>
  );
};

const Content = ({ event: { eventId } }: EventProps): ReactNode => (
  <QueryView
    query={useQuery('system', publicEndpoints.stripeEvent, { eventId })}
    skeleton={<LinesSkeleton label={stripeEventText('loading')} lines={1} />}
    errorTitle={stripeEventText('contentFailed')}
  >
    {({ payload }) => (
      <pre className="payload" tabIndex={0} aria-label={stripeEventText('content')} dir="ltr">
        {payload}
      </pre>
    )}
  </QueryView>
);

const EventLine = ({ event }: EventProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const { eventId, type, state, customerId, attempts, error, receivedAt } = event;
  return (
    <li>
      <details className="opens" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          <time className="num" dateTime={receivedAt}>
            {tableTime(receivedAt)}
          </time>{' '}
          <span>{stripeEventText(state)}</span>{' '}
          <span>
            <strong>{type}</strong> <small dir="ltr">{eventId}</small>
          </span>{' '}
          <span>{error ?? customerId}</span>
          <ChevronDown {...ICON} />
        </summary>
        {isOpen && (
          <div className="opened">
            {attempts > 0 && <p>{stripeEventText('tries', { count: attempts })}</p>}
            <May
              permission="revenue.read"
              otherwise={<p className="muted">{stripeEventText('withoutContent')}</p>}
            >
              <Content event={event} />
            </May>
            {state !== 'ignored' && (
              <May permission="system.manage">
                <p>
                  <Replay event={event} />
                </p>
              </May>
            )}
          </div>
        )}
      </details>
    </li>
  );
};

const EMPTY = { failed: 'noFailed', pending: 'noPending', done: 'noDone', ignored: 'noIgnored' } as const;

type ListProps = { state: StripeEventState };

/** The webhooks in a state, newest first, page by page. */
const EventList = ({ state }: ListProps): ReactNode => {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const before = cursors.at(-1);
  const query = useQuery(
    'system',
    publicEndpoints.stripeEvents,
    { state, ...(before !== undefined && { before }) },
    { keepPreviousData: true },
  );
  return (
    <QueryView
      query={query}
      skeleton={<LinesSkeleton label={stripeEventText('loading')} lines={3} />}
      errorTitle={stripeEventText('couldNotLoad')}
    >
      {({ data, next }) => (
        <>
          {data.length === 0 ? (
            <EmptyState>{stripeEventText(EMPTY[state])}</EmptyState>
          ) : (
            <ul className="opening-lines">
              {data.map((event) => (
                <EventLine key={event.eventId} event={event} />
              ))}
            </ul>
          )}
          {(next !== null || cursors.length > 0) && (
            <Pager
              summary={stripeEventText('page', { page: cursors.length + 1 })}
              previous={stripeEventText('newer')}
              next={stripeEventText('older')}
              onPrevious={cursors.length === 0 ? null : () => setCursors(cursors.slice(0, -1))}
              onNext={next === null ? null : () => setCursors([...cursors, next])}
            />
          )}
        </>
      )}
    </QueryView>
  );
};

const ReplayAllDialog = ({ failed, onClose }: { failed: number; onClose: () => void }): ReactNode => {
  // How many the dialog speaks of stays while it is open.
  const [count] = useState(failed);
  const command = useSystemChange(async (_: void, token) => {
    const { data } = await call(publicEndpoints.replayStripeEvents, {}, { token });
    return stripeEventText('replayed', data);
  }, onClose);
  return (
    <ConfirmDialog
      title={stripeEventText('replayFailedTitle')}
      confirmLabel={stripeEventText('replayFailed', { count })}
      command={command}
      onClose={onClose}
    >
      <p>{stripeEventText('replayFailedText')}</p>
    </ConfirmDialog>
  );
};

const ReplayAll = ({ failed }: { failed: number }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return (
    <>
      {failed > 0 && (
        <Button isSmall onClick={() => setIsOpen(true)}>
          {stripeEventText('replayFailed', { count: failed })}
        </Button>
      )}
      {isOpen && <ReplayAllDialog failed={failed} onClose={close} />}
    </>
  );
};

type StateSelectProps = { value: StripeEventState; onChange: (state: StripeEventState) => void };

const StateSelect = ({ value, onChange }: StateSelectProps): ReactNode => {
  const id = useId();
  return (
    <div className="filter">
      <label className="label" htmlFor={id}>
        {stripeEventText('show')}
      </label>
      <div className="select">
        <select
          id={id}
          value={value}
          onChange={({ target }) => {
            const chosen = STRIPE_EVENT_STATES.find((state) => state === target.value);
            if (chosen !== undefined) onChange(chosen);
          }}
        >
          {STRIPE_EVENT_STATES.map((state) => (
            <option key={state} value={state}>
              {stripeEventText(state)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
};

/** The webhooks that Stripe sent, those that failed first. `counts` is null while they are not known. */
export const StripeEventsPanel = ({ counts }: { counts: StripeStatus['events'] | null }): ReactNode => {
  const [state, setState] = useState<StripeEventState>('failed');
  return (
    <Panel
      title={stripeEventText('title')}
      isBare
      end={
        <div className="panel-head-end">
          <StateSelect value={state} onChange={setState} />
          {counts !== null && (
            <May permission="system.manage">
              <ReplayAll failed={counts.failed} />
            </May>
          )}
        </div>
      }
    >
      {counts !== null && (
        <p className="panel-inset small muted">
          {stripeEventText('counts', {
            today: counts.today,
            handled: counts.handledToday,
            waiting: counts.waiting,
            failed: counts.failed,
          })}
        </p>
      )}
      <EventList key={state} state={state} />
    </Panel>
  );
};
