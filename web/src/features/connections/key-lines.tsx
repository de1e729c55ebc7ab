import type { ApiKey } from '@shortlist/contracts/api/api-keys';
import KeyRound from 'lucide-react/icons/key-round';
import Trash from 'lucide-react/icons/trash-2';
import type { ReactNode } from 'react';
import { longDay, now } from '../../lib/dates.ts';
import { connectionsText } from '../../messages/connections.ts';
import { IconButton } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { Line, Lines } from '../../ui/panel.tsx';
import { lastUseText } from './last-use.ts';
import { hasExpired, phraseOf } from './keys.rules.ts';

const lastUseOf = ({ lastUsed, createdAt }: ApiKey): string =>
  lastUsed === null ? connectionsText('made', { day: longDay(createdAt) }) : lastUseText(lastUsed);

const expiryOf = ({ expiresAt }: ApiKey, isExpired: boolean): string[] =>
  expiresAt === null
    ? []
    : [connectionsText(isExpired ? 'expiredOn' : 'expires', { day: longDay(expiresAt) })];

/** What it may do, until when, and when it was used last. */
const noteOf = (key: ApiKey, isExpired: boolean): string =>
  [phraseOf(key.scopes), ...expiryOf(key, isExpired), lastUseOf(key)].reduce((first, rest) =>
    connectionsText('sentences', { first, rest }),
  );

type KeyLineProps = { apiKey: ApiKey; onDelete: (key: ApiKey) => void };

const KeyLine = ({ apiKey, onDelete }: KeyLineProps): ReactNode => {
  const { name, hint, lastUsed } = apiKey;
  const isExpired = hasExpired(apiKey, now());
  return (
    <Line
      icon={<KeyRound {...ICON} />}
      title={
        <>
          <bdi>{name}</bdi> {isExpired && <span className="tag is-warn">{connectionsText('expired')}</span>}
          {!isExpired && lastUsed === null && (
            <span className="tag is-warn">{connectionsText('neverUsed')}</span>
          )}
        </>
      }
      note={connectionsText.rich<ReactNode>('sentences', {
        first: (
          <code key="hint" className="key-hint">
            {hint}
          </code>
        ),
        rest: noteOf(apiKey, isExpired),
      })}
    >
      <IconButton
        label={connectionsText('delete', { name })}
        icon={<Trash {...ICON} />}
        onClick={() => onDelete(apiKey)}
      />
    </Line>
  );
};

type KeyLinesProps = { keys: ApiKey[]; onDelete: (key: ApiKey) => void };

export const KeyLines = ({ keys, onDelete }: KeyLinesProps): ReactNode => (
  <Lines>
    {keys.map((key) => (
      <KeyLine key={key.id} apiKey={key} onDelete={onDelete} />
    ))}
  </Lines>
);
