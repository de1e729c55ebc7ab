import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type DeadLetterView, DEAD_LETTERS_MAX } from '@shortlist/contracts/api/status';
import type { ConsumerName } from '@shortlist/contracts/api/system';
import { DISCARD_REASON_MAX } from '@shortlist/contracts/limits';
import { LOCALE } from '@shortlist/contracts/messages';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { tableTime } from '../../lib/dates.ts';
import { May } from '../../lib/state/hooks.tsx';
import { deadLetterText } from '../../messages/system-status.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Panel } from '../../ui/panel.tsx';
import { EmptyState, LinesSkeleton, QueryView } from '../../ui/query-view.tsx';
import { processName } from './status-problems.ts';
import { useSystemChange, useSystemPress } from './use-system-change.ts';

type Letter = DeadLetterView & { consumer: ConsumerName };
type LetterProps = { letter: Letter };

const namesIn = ({ type, consumer }: Letter) => ({ type, process: processName(consumer) });

const DiscardDialog = ({ letter, onClose }: LetterProps & { onClose: () => void }): ReactNode => {
  const [reason, setReason] = useState('');
  const { consumer, position } = letter;
  const command = useSystemChange(async (_: void, token) => {
    const input = { consumer, position, reason: reason.trim() };
    await call(publicEndpoints.discardDeadLetter, input, { token });
    return deadLetterText('discarded');
  }, onClose);
  const error = command.failure?.fields['reason'];
  return (
    <ConfirmDialog
      title={deadLetterText('discardTitle')}
      confirmLabel={deadLetterText('discard')}
      isBad
      command={command}
      isFailureAtField={error !== undefined}
      onClose={onClose}
    >
      <p>{deadLetterText('discardText', { process: processName(consumer) })}</p>
      <TextField
        label={deadLetterText('reason')}
        help={deadLetterText('reasonHelp')}
        maxLength={DISCARD_REASON_MAX}
        data-autofocus
        value={reason}
        error={error}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
};

const Discard = ({ letter }: LetterProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return (
    <>
      <Button
        isSmall
        variant="bad"
        aria-label={deadLetterText('discardThis', namesIn(letter))}
        onClick={() => setIsOpen(true)}
      >
        {deadLetterText('discard')}
      </Button>
      {isOpen && <DiscardDialog letter={letter} onClose={close} />}
    </>
  );
};

const Replay = ({ letter }: LetterProps): ReactNode => {
  const { consumer, position } = letter;
  const { isBusy, run } = useSystemPress(async (token) => {
    await call(publicEndpoints.replayDeadLetter, { consumer, position }, { token });
    return deadLetterText('replayed');
  });
  return (
    <Button
      isSmall
      isBusy={isBusy}
      aria-label={deadLetterText('replayThis', namesIn(letter))}
      onClick={() => void run()}
    >
      {deadLetterText('replay')}
    </Button>
  );
};

const Content = ({ letter: { consumer, position } }: LetterProps): ReactNode => (
  <QueryView
    query={useQuery('system', publicEndpoints.deadLetter, { consumer, position })}
    skeleton={<LinesSkeleton label={deadLetterText('loading')} lines={1} />}
    errorTitle={deadLetterText('contentFailed')}
  >
    {({ content }) => (
      <pre className="payload" tabIndex={0} aria-label={deadLetterText('content')} dir="ltr">
        {content}
      </pre>
    )}
  </QueryView>
);

/** Why an event cannot be replayed now; null if it can. */
const obstacleOf = ({ isUnreadable, hasEarlier }: Letter): string | null => {
  if (isUnreadable) return deadLetterText('unreadable');
  return hasEarlier ? deadLetterText('earlier') : null;
};

const Opened = ({ letter }: LetterProps): ReactNode => {
  const obstacle = obstacleOf(letter);
  return (
    <div className="opened">
      <p>
        <bdi>{deadLetterText('about', { subject: letter.subject })}</bdi>
      </p>
      <p>{letter.cause}</p>
      {obstacle !== null && <p>{obstacle}</p>}
      <May permission="system.manage" otherwise={<p className="muted">{deadLetterText('ownersOnly')}</p>}>
        {!letter.isUnreadable && <Content letter={letter} />}
        <p className="opened-links">
          {obstacle === null && <Replay letter={letter} />}
          <Discard letter={letter} />
        </p>
      </May>
    </div>
  );
};

const LetterLine = ({ letter }: LetterProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  const { consumer, type, eventId, cause, time } = letter;
  const isKnown = !Number.isNaN(Date.parse(time));
  return (
    <li>
      <details className="opens" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          {isKnown ? (
            <time className="num" dateTime={time}>
              {tableTime(time)}
            </time>
          ) : (
            <span>{deadLetterText('noTime')}</span>
          )}{' '}
          <span>{processName(consumer)}</span>{' '}
          <span>
            <strong>{type}</strong> <small dir="ltr">{eventId}</small>
          </span>{' '}
          <span>{cause}</span>
          <ChevronDown {...ICON} />
        </summary>
        {isOpen && <Opened letter={letter} />}
      </details>
    </li>
  );
};

const listOf = (consumers: readonly ConsumerName[]): string =>
  new Intl.ListFormat(LOCALE, { type: 'conjunction' }).format(consumers.map(processName));

type ListProps = { letters: readonly Letter[]; missing: readonly ConsumerName[] };

const LetterList = ({ letters, missing }: ListProps): ReactNode => (
  <>
    {missing.length > 0 && (
      <div className="panel-inset">
        <Alert tone="warn">
          <p>{deadLetterText('missing', { processes: listOf(missing) })}</p>
        </Alert>
      </div>
    )}
    {letters.length > 0 && (
      <ul className="opening-lines">
        {letters.map((letter) => (
          <LetterLine key={`${letter.consumer} ${letter.position}`} letter={letter} />
        ))}
      </ul>
    )}
    {letters.length === 0 && missing.length === 0 && <EmptyState>{deadLetterText('none')}</EmptyState>}
  </>
);

/** The events that could not be handled, of every consumer, the oldest first, as they must be replayed. */
export const DeadLettersPanel = (): ReactNode => (
  <Panel title={deadLetterText('title')} note={deadLetterText('note', { max: DEAD_LETTERS_MAX })} isBare>
    <QueryView
      query={useQuery('system', publicEndpoints.deadLetters, {})}
      skeleton={<LinesSkeleton label={deadLetterText('loading')} lines={2} />}
      errorTitle={deadLetterText('couldNotLoad')}
    >
      {({ data, missing }) => (
        <LetterList
          letters={data.toSorted((one, other) => one.time.localeCompare(other.time))}
          missing={missing}
        />
      )}
    </QueryView>
  </Panel>
);
