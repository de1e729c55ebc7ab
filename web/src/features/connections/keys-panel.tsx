import type { ApiKey } from '@shortlist/contracts/api/connected-apps';
import { days } from '@shortlist/contracts/durations';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { useApiKeys } from '../../lib/data/use-tools.ts';
import { shortDay, now, utcDay, utcToday } from '../../lib/dates.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { connectionsText } from '../../messages/connections.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Badge, ICON } from '../../ui/inline.tsx';
import { focusHeading } from '../../ui/page-header.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { Bar, QueryView, Skeleton } from '../../ui/states.tsx';
import { CreateKey } from './create-key.tsx';
import { hasExpired, listedKeys, phraseOf } from './connections.rules.ts';
import KeyRound from 'lucide-react/icons/key-round';
import Plus from 'lucide-react/icons/plus';
import Trash from 'lucide-react/icons/trash-2';

/** When a key or an app was used last, and from which network, where that is known. */
export const lastUseText = ({ day, network }: { day: string; network: string }): string => {
  const isToday = day === utcToday();
  if (network === '')
    return isToday ? connectionsText('usedTodayOnly') : connectionsText('usedOnOnly', { day: utcDay(day) });
  return isToday
    ? connectionsText('usedToday', { network })
    : connectionsText('usedOn', { day: utcDay(day), network });
};

const lastUseOf = ({ lastUsed, createdAt }: ApiKey): string =>
  lastUsed === null ? connectionsText('made', { day: shortDay(createdAt) }) : lastUseText(lastUsed);

const expiryOf = ({ expiresAt }: ApiKey, isExpired: boolean): string[] =>
  expiresAt === null
    ? []
    : [connectionsText(isExpired ? 'expiredOn' : 'expires', { day: shortDay(expiresAt) })];

/** What it may do, until when, and when it was used last. */
const noteOf = (key: ApiKey, isExpired: boolean): string =>
  [phraseOf(key.scopes), ...expiryOf(key, isExpired), lastUseOf(key)].reduce((first, rest) =>
    connectionsText('sentences', { first, rest }),
  );

/** A key that nobody has used for so long is better deleted. */
const FORGOTTEN_MS = days(30);

type KeyLineProps = { apiKey: ApiKey; onDelete: (key: ApiKey) => void };

const KeyLine = ({ apiKey, onDelete }: KeyLineProps): ReactNode => {
  const { name, hint, lastUsed, createdAt } = apiKey;
  const isExpired = hasExpired(apiKey, now());
  const isForgotten = now() - Date.parse(createdAt) > FORGOTTEN_MS;
  return (
    <Line
      icon={<KeyRound {...ICON} />}
      title={
        <>
          <bdi>{name}</bdi> {isExpired && <Badge tone="warn">{connectionsText('expired')}</Badge>}
          {!isExpired && lastUsed === null && (
            <Badge tone={isForgotten ? 'warn' : undefined}>{connectionsText('neverUsed')}</Badge>
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

const KeyLines = ({ keys, onDelete }: KeyLinesProps): ReactNode => (
  <Lines>
    {keys.map((key) => (
      <KeyLine key={key.id} apiKey={key} onDelete={onDelete} />
    ))}
  </Lines>
);

type DeleteDialogProps = { apiKey: ApiKey; onClose: () => void };

const DeleteDialog = ({ apiKey, onClose }: DeleteDialogProps): ReactNode => {
  const token = useUserToken();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.revokeApiKey, { keyId: apiKey.id }, { token });
    await revalidate(['connections']);
    // The button that opened the dialog went with its line.
    focusHeading();
    onClose();
  });
  const text = hasExpired(apiKey, now()) ? 'deleteExpired' : 'deleteText';
  return (
    <ConfirmDialog
      title={connectionsText('deleteTitle')}
      confirmLabel={connectionsText('deleteKey')}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>
        <bdi>
          <strong>{apiKey.name}</strong>
        </bdi>
      </p>
      <p>{connectionsText(text)}</p>
    </ConfirmDialog>
  );
};

const NoKeys = ({ create }: { create: ReactNode }): ReactNode => (
  <div className="page-state">
    <KeyRound {...ICON} />
    <h3>{connectionsText('none')}</h3>
    <p>{connectionsText('noneText')}</p>
    {create}
  </div>
);

type KeysProps = { keys: ApiKey[]; create: ReactNode };

const Keys = ({ keys, create }: KeysProps): ReactNode => {
  const [deleting, setDeleting] = useState<ApiKey | null>(null);
  const close = useCallback(() => setDeleting(null), []);
  return (
    <>
      {keys.length === 0 ? <NoKeys create={create} /> : <KeyLines keys={keys} onDelete={setDeleting} />}
      {deleting !== null && <DeleteDialog apiKey={deleting} onClose={close} />}
    </>
  );
};

const KeysSkeleton = (): ReactNode => (
  <Skeleton label={connectionsText('loading')}>
    <Lines>
      {['30%', '40%'].map((width) => (
        <Line
          key={width}
          icon={<KeyRound {...ICON} />}
          title={<Bar width={width} height="1.5rem" />}
          note={<Bar width="70%" height="1.25rem" />}
        />
      ))}
    </Lines>
  </Skeleton>
);

/** The keys of the user's own apps. */
export const KeysPanel = (): ReactNode => {
  const query = useApiKeys();
  const [isCreating, setIsCreating] = useState(false);
  const close = useCallback(() => setIsCreating(false), []);
  const hasKeys = query.data !== undefined && listedKeys(query.data).length > 0;
  const create = (
    <Button variant={hasKeys ? 'primary' : 'plain'} onClick={() => setIsCreating(true)}>
      <Plus {...ICON} />
      {connectionsText('create')}
    </Button>
  );
  return (
    <Panel title={connectionsText('keys')} end={hasKeys && create} isBare>
      <QueryView query={query} skeleton={<KeysSkeleton />} errorTitle={connectionsText('failed')}>
        {(keys) => <Keys keys={listedKeys(keys)} create={create} />}
      </QueryView>
      {isCreating && <CreateKey onClose={close} />}
    </Panel>
  );
};
