import { TIMELINE_KINDS, type TimelineKind, type TimelineSource } from '@shortlist/contracts/api/timeline';
import { LOCALE } from '@shortlist/contracts/messages';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { failureOf } from '../../lib/api/api-error.ts';
import { shortTime } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useCan } from '../../lib/state/hooks.tsx';
import { type ChangeFilters, useUrlParams } from '../../lib/url-filters.ts';
import { controlText } from '../../messages/shell.ts';
import { timelineText, usersText } from '../../messages/users.ts';
import { Alert, FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { FilterBar, FilterSelect } from '../../ui/list-frame.tsx';
import { Panel, Trail, TrailEntry } from '../../ui/panel.tsx';
import { EmptyState, isSettled, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { AtAGlance, useIsGlanceSettled } from './at-a-glance.tsx';
import { type Described, describeTimeline } from './describe-timeline.ts';
import { type Charge, linesOf, type TimelineLine } from './timeline-lines.ts';
import { useTimeline } from './use-timeline.ts';

type NoteProps = { note: string; invoice: Described['invoice'] };

const Note = ({ note, invoice }: NoteProps): ReactNode => {
  if (invoice === undefined) return <bdi className="trail-words">{note}</bdi>;
  const { invoiceId, number } = invoice;
  return (
    <>
      {note !== '' && timelineText('before', { note })}{' '}
      <Link className="is-inline-link" to={paths.adminPayment(invoiceId)}>
        {timelineText('invoice', { number: number ?? invoiceId })}
      </Link>
    </>
  );
};

type ChargesProps = { charges: readonly Charge[]; amount: number };

/** Charges of one day, which open to each of them. */
const Charges = ({ charges, amount }: ChargesProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="trail-text trail-fold" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="trail-title">
        {timelineText('charges', { count: amount })}{' '}
        <small>{timelineText('ofCharges', { count: charges.length })}</small>
      </summary>
      {isOpen && (
        <ul>
          {charges.map((charge) => {
            const { title, note } = describeTimeline(charge);
            return (
              <li key={charge.id}>
                <time className="num" dateTime={charge.at}>
                  {shortTime(charge.at)}
                </time>{' '}
                {title} <bdi className="muted">{note}</bdi>
              </li>
            );
          })}
        </ul>
      )}
    </details>
  );
};

const LineOfTimeline = ({ line }: { line: TimelineLine }): ReactNode => {
  if ('charges' in line) {
    const at = line.charges[0]?.at ?? '';
    return (
      <li>
        <time className="num" dateTime={at}>
          {shortTime(at)}
        </time>
        <Charges {...line} />
      </li>
    );
  }
  const { note, invoice, ...described } = describeTimeline(line.entry);
  return <TrailEntry at={line.entry.at} {...described} note={<Note note={note} invoice={invoice} />} />;
};

const keyOf = (line: TimelineLine): string =>
  'charges' in line ? (line.charges.at(-1)?.id ?? '') : line.entry.id;

const SOURCES = {
  identity: 'identity',
  profile: 'profile',
  billing: 'billing',
  credits: 'creditsService',
  worker: 'worker',
} as const satisfies Record<TimelineSource, keyof typeof timelineText.entries>;

const list = new Intl.ListFormat(LOCALE, { type: 'conjunction' });

type MissingProps = { missing: readonly TimelineSource[]; isRetrying: boolean; onRetry: () => void };

const Missing = ({ missing, isRetrying, onRetry }: MissingProps): ReactNode => (
  <div className="panel-inset">
    <Alert tone="warn">
      <div className="stack stack-s">
        <p>
          {timelineText('missing', {
            sources: list.format(missing.map((source) => timelineText(SOURCES[source]))),
          })}
        </p>
        <Button isSmall isReadOnly isBusy={isRetrying} onClick={onRetry}>
          {controlText('retry')}
        </Button>
      </div>
    </Alert>
  </div>
);

type EntriesProps = {
  kind: TimelineKind | null;
  timeline: ReturnType<typeof useTimeline>;
  onClear: () => void;
};

const Entries = ({ kind, timeline: { query, showOlder }, onClear }: EntriesProps): ReactNode => {
  const clear = (
    <Button isReadOnly onClick={onClear}>
      {timelineText('clearFilter')}
    </Button>
  );
  return (
    <QueryView
      query={query}
      skeleton={<LinesSkeleton label={timelineText('loading')} lines={8} />}
      errorTitle={timelineText('failed')}
    >
      {({ data, next, missing }) => (
        <>
          {missing.length > 0 && (
            <Missing missing={missing} isRetrying={query.isValidating} onRetry={() => void query.mutate()} />
          )}
          {data.length === 0 && missing.length === 0 && (
            <EmptyState action={kind === null ? undefined : clear}>
              {timelineText(kind === null ? 'empty' : 'emptyKind')}
            </EmptyState>
          )}
          {data.length > 0 && (
            <Trail>
              {linesOf(data).map((line) => (
                <LineOfTimeline key={keyOf(line)} line={line} />
              ))}
            </Trail>
          )}
          {next !== null && (
            <div className="panel-actions">
              {query.error !== undefined && <FailureAlert failure={failureOf(query.error)} />}
              <Button isReadOnly isBusy={query.isLoading} onClick={showOlder}>
                {timelineText('older')}
              </Button>
            </div>
          )}
        </>
      )}
    </QueryView>
  );
};

type KindFilterProps = { params: URLSearchParams; onChange: ChangeFilters };

const KindFilter = (state: KindFilterProps): ReactNode => {
  const can = useCan();
  return (
    <FilterBar params={state.params} names={['kind']} isInPanel>
      <FilterSelect name="kind" label={timelineText('show')} {...state}>
        <option value="">{timelineText('everything')}</option>
        {TIMELINE_KINDS.filter((kind) => kind !== 'payments' || can('revenue.read')).map((kind) => (
          <option key={kind} value={kind}>
            {timelineText(kind)}
          </option>
        ))}
      </FilterSelect>
    </FilterBar>
  );
};

type ContentProps = {
  userId: string;
  kind: TimelineKind | null;
  params: URLSearchParams;
  change: ChangeFilters;
};

const Content = ({ userId, kind, params, change }: ContentProps): ReactNode => {
  const timeline = useTimeline({ userId, kind });
  const isGlanceSettled = useIsGlanceSettled(userId);
  return (
    <div className="split">
      <Panel title={usersText('timeline')} isBare>
        <KindFilter params={params} onChange={change} />
        <Entries kind={kind} timeline={timeline} onClear={() => change({ kind: '' })} />
      </Panel>
      {/* On a phone it is below the entries, which would move it. */}
      <div hidden={!isSettled(timeline.query) || !isGlanceSettled}>
        <div className="side-column">
          <AtAGlance userId={userId} />
        </div>
      </div>
    </div>
  );
};

/** What happened to a user, newest first, beside what is in force now. The filter is in the URL. */
export const UserTimeline = ({ userId }: { userId: string }): ReactNode => {
  const { params, change } = useUrlParams();
  const kind = TIMELINE_KINDS.find((name) => name === params.get('kind')) ?? null;
  // Entries of another kind do not stay while those of the new one load.
  return <Content key={kind} userId={userId} kind={kind} params={params} change={change} />;
};
