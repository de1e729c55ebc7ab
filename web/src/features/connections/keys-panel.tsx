import type { ApiKey } from '@shortlist/contracts/api/api-keys';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import KeyRound from 'lucide-react/icons/key-round';
import Plus from 'lucide-react/icons/plus';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { now } from '../../lib/dates.ts';
import { useApiKeys } from '../../lib/data/use-tools.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { connectionsText } from '../../messages/connections.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ICON } from '../../ui/inline.tsx';
import { focusHeading } from '../../ui/page-header.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { Bar, QueryView, Skeleton } from '../../ui/states.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyLines } from './key-lines.tsx';
import { hasExpired, listedKeys } from './keys.rules.ts';

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

/** The keys of the user's own tools. */
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
