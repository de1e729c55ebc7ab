import type { AccessItem, AccessView } from '@shortlist/contracts/api/connected-apps';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { FACTOR_REASON_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { useAdminToken, useCan } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { accessText } from '../../messages/access.ts';
import { twoStepText } from '../../messages/security.ts';
import { hasAccess } from '../../ui/access-list.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

/** What acts for a user beside the sessions. */
export const useUserAccess = (userId: string) =>
  useQuery('directory', publicEndpoints.userAccess, { userId });

type Ended = { kind: 'apiKeys' | 'connections'; item: AccessItem };
type EndDialogProps = Ended & { userId: string; onClose: () => void };

/** Ends a key or a connected app of the user, for a reason. */
const EndDialog = ({ kind, item: { id, name }, userId, onClose }: EndDialogProps): ReactNode => {
  const token = useAdminToken();
  const [typed, setReason] = useState('');
  const isKey = kind === 'apiKeys';
  const command = useCommand(async (): Promise<void> => {
    const reason = typed.trim();
    if (isKey) await call(publicEndpoints.endUserKey, { userId, keyId: id, reason }, { token });
    else await call(publicEndpoints.endUserConnection, { userId, connectionId: id, reason }, { token });
    await revalidate(['directory']); // also the audit log beside it
    onClose();
  });
  const reasonError = command.failure?.fields['reason'];
  return (
    <ConfirmDialog
      title={accessText(isKey ? 'endKeyTitle' : 'endToolTitle')}
      confirmLabel={accessText('end')}
      isBad
      command={command}
      isFailureAtField={reasonError !== undefined}
      onClose={onClose}
    >
      <p>
        {accessText.rich<ReactNode>(isKey ? 'endKeyText' : 'endToolText', {
          name: (
            <bdi key="name">
              <strong>{name}</strong>
            </bdi>
          ),
        })}
      </p>
      <TextField
        label={twoStepText('reason')}
        help={accessText('reasonHelp')}
        maxLength={FACTOR_REASON_MAX}
        data-autofocus
        value={typed}
        error={reasonError}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
};

const NOTES = {
  apiKeys: ({ detail: hint }: AccessItem, day: string) => accessText('key', { hint, day }),
  connections: ({ detail: device }: AccessItem, day: string) =>
    device === '' ? accessText('tool', { day }) : accessText('toolOn', { device, day }),
  webhooks: (_item: AccessItem, day: string) => accessText('webhook', { day }),
};

type AccessLinesProps = { access: AccessView; onEnd: (ended: Ended) => void };

const AccessLines = ({ access, onEnd }: AccessLinesProps): ReactNode => {
  const mayEnd = useCan()('sessions.end');
  const linesOf = (kind: keyof AccessView): ReactNode =>
    access[kind].map((item) => (
      <Line
        key={item.id}
        title={<bdi>{item.name}</bdi>}
        note={<bdi>{NOTES[kind](item, shortDay(item.createdAt))}</bdi>}
      >
        {kind !== 'webhooks' && mayEnd && (
          <Button
            variant="quiet"
            aria-label={accessText('endThis', { name: item.name })}
            onClick={() => onEnd({ kind, item })}
          >
            {accessText('end')}
          </Button>
        )}
      </Line>
    ));
  return (
    <Lines>
      {linesOf('apiKeys')}
      {linesOf('connections')}
      {linesOf('webhooks')}
    </Lines>
  );
};

/** The keys and apps that act for a user, of which support can end each. */
export const UserAccessPanel = ({ userId }: { userId: string }): ReactNode => {
  const [ended, setEnded] = useState<Ended | null>(null);
  const close = useCallback(() => setEnded(null), []);
  const skeleton = (
    <Skeleton label={accessText('loading')}>
      <SkeletonPanel lines={1} />
    </Skeleton>
  );
  return (
    <QueryView query={useUserAccess(userId)} skeleton={skeleton} errorTitle={accessText('failed')}>
      {(access) => (
        <Panel title={accessText('ofUser')} isBare={hasAccess(access)}>
          {hasAccess(access) ? <AccessLines access={access} onEnd={setEnded} /> : <p>{accessText('none')}</p>}
          {ended !== null && <EndDialog {...ended} userId={userId} onClose={close} />}
        </Panel>
      )}
    </QueryView>
  );
};
