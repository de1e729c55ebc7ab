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
import { sentenceText } from '../../messages/sentences.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Badge, ICON } from '../../ui/inline.tsx';
import { Details, Line, Lines, Panel } from '../../ui/panel.tsx';
import { EmptyState, QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';
import { CreateKey } from './create-key.tsx';
import { hasExpired, listedKeys, phraseOf } from './connections.rules.ts';
import KeyRound from 'lucide-react/icons/key-round';
import Plus from 'lucide-react/icons/plus';
import Trash from 'lucide-react/icons/trash-2';

/** A key that nobody has used for so long is better deleted. */
const FORGOTTEN_MS = days(30);

const LastUse = ({ apiKey: { lastUsed, createdAt } }: { apiKey: ApiKey }): ReactNode => {
  if (lastUsed === null) {
    const isForgotten = now() - Date.parse(createdAt) > FORGOTTEN_MS;
    return <Badge tone={isForgotten ? 'warn' : undefined}>{connectionsText('neverUsed')}</Badge>;
  }
  const day = lastUsed.day === utcToday() ? connectionsText('today') : utcDay(lastUsed.day);
  return lastUsed.network === '' ? day : connectionsText('from', { day, network: lastUsed.network });
};

type KeyLineProps = { apiKey: ApiKey; onDelete: (key: ApiKey) => void };

const KeyLine = ({ apiKey, onDelete }: KeyLineProps): ReactNode => {
  const { name, hint, scopes, expiresAt, createdAt } = apiKey;
  const isExpired = hasExpired(apiKey, now());
  const rows = [
    [connectionsText('may'), phraseOf(scopes)],
    [
      connectionsText(isExpired ? 'expired' : 'expiry'),
      expiresAt === null ? connectionsText('never') : shortDay(expiresAt),
    ],
    [connectionsText('lastUsed'), <LastUse key="use" apiKey={apiKey} />],
  ] as const;
  return (
    <Line
      icon={<KeyRound {...ICON} />}
      title={
        <>
          <bdi>{name}</bdi> {isExpired && <Badge tone="warn">{connectionsText('expired')}</Badge>}
        </>
      }
      note={sentenceText.rich<ReactNode>('next', {
        first: (
          <code key="hint" className="key-hint">
            {hint}
          </code>
        ),
        rest: connectionsText('made', { day: shortDay(createdAt) }),
      })}
      below={<Details isStrip rows={rows} />}
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

const Keys = ({ keys }: { keys: ApiKey[] }): ReactNode => {
  const [deleting, setDeleting] = useState<ApiKey | null>(null);
  const close = useCallback(() => setDeleting(null), []);
  return (
    <>
      {keys.length === 0 ? (
        <EmptyState icon={<KeyRound {...ICON} />} title={connectionsText('none')}>
          {connectionsText('noneText')}
        </EmptyState>
      ) : (
        <KeyLines keys={keys} onDelete={setDeleting} />
      )}
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
          below={<Bar height="2.75rem" />}
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
  const create = (
    <Button variant="primary" onClick={() => setIsCreating(true)}>
      <Plus {...ICON} />
      {connectionsText('create')}
    </Button>
  );
  return (
    <Panel title={connectionsText('keys')} end={create} isBare>
      <QueryView query={query} skeleton={<KeysSkeleton />} errorTitle={connectionsText('failed')}>
        {(keys) => <Keys keys={listedKeys(keys)} />}
      </QueryView>
      {isCreating && <CreateKey onClose={close} />}
    </Panel>
  );
};
