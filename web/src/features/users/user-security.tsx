import type { FactorsView } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { FACTOR_REASON_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { useAdminToken, useCan } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { accessText } from '../../messages/access.ts';
import { devicesText, twoStepText } from '../../messages/security.ts';
import { EndAccess, hasAccess } from '../../ui/access-list.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { useUserAccess } from './user-access.tsx';

export const useUserFactors = (userId: string) =>
  useQuery('directory', publicEndpoints.userFactors, { userId });

type RemoveDialogProps = { id: string; onRemoved: () => Promise<unknown>; onClose: () => void };

const RemoveDialog = ({ id, onRemoved, onClose }: RemoveDialogProps): ReactNode => {
  const token = useAdminToken();
  const [reason, setReason] = useState('');
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.removeUserFactors, { userId: id, reason: reason.trim() }, { token });
    onClose();
    await onRemoved();
  });
  const reasonError = command.failure?.fields['reason'];
  return (
    <ConfirmDialog
      title={twoStepText('removeFactorsTitle')}
      confirmLabel={twoStepText('removeIt')}
      isBad
      command={command}
      isFailureAtField={reasonError !== undefined}
      onClose={onClose}
    >
      <p>{twoStepText('removeFactorsText')}</p>
      <TextField
        label={twoStepText('reason')}
        help={twoStepText('reasonHelp')}
        maxLength={FACTOR_REASON_MAX}
        data-autofocus
        value={reason}
        error={reasonError}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
};

const describe = ({ totpSince, passkeys }: FactorsView): string => {
  const state =
    totpSince === null ? twoStepText('ofUserOff') : twoStepText('ofUserOn', { day: shortDay(totpSince) });
  return `${state}. ${twoStepText('passkeyCount', { count: passkeys.length })}`;
};

/** The user's second factors, which support removes for a user who has lost them. Without the data the panel is missing. */
export const UserFactors = ({ id }: { id: string }): ReactNode => {
  const { data, mutate } = useUserFactors(id);
  const can = useCan();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  if (data === undefined) return null;
  const hasFactors = data.totpSince !== null || data.passkeys.length > 0;
  return (
    <Panel title={twoStepText('ofUser')} isBare>
      <Lines>
        <Line title={describe(data)}>
          {hasFactors && can('factors.remove') && (
            <Button onClick={() => setIsOpen(true)}>{twoStepText('removeFactors')}</Button>
          )}
        </Line>
      </Lines>
      {isOpen && <RemoveDialog id={id} onRemoved={mutate} onClose={close} />}
    </Panel>
  );
};

export const useSessionCount = (userId: string) =>
  useQuery('directory', publicEndpoints.countUserSessions, { id: userId });

type EndAllDialogProps = { userId: string; count: number; onClose: () => void };

const EndAllDialog = ({ userId, count, onClose }: EndAllDialogProps): ReactNode => {
  const token = useAdminToken();
  const { data: access } = useUserAccess(userId);
  const [withAccess, setWithAccess] = useState(false);
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.endUserSessions, { id: userId, withAccess }, { token });
    await revalidate(['directory']); // also the audit log beside it
    onClose();
  });
  return (
    <ConfirmDialog
      title={devicesText('endAll')}
      confirmLabel={count > 0 ? devicesText('endSessions', { count }) : accessText('end')}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{devicesText('endAllNote', { count })}</p>
      {hasAccess(access) && (
        <EndAccess
          access={access}
          introduction={accessText('keepsActingOfUser')}
          isChosen={withAccess}
          onChange={setWithAccess}
        />
      )}
    </ConfirmDialog>
  );
};

/** How many sessions a user has, and the end of all of them. */
export const UserSessionsPanel = ({ userId }: { userId: string }): ReactNode => {
  const can = useCan();
  const [isOpen, setIsOpen] = useState(false);
  const handleClose = useCallback(() => setIsOpen(false), []);
  const isAccessible = hasAccess(useUserAccess(userId).data);
  const skeleton = (
    <Skeleton label={devicesText('sessionsLoading')}>
      <SkeletonPanel lines={1} />
    </Skeleton>
  );
  return (
    <QueryView query={useSessionCount(userId)} skeleton={skeleton} errorTitle={devicesText('sessionsFailed')}>
      {({ count }) => (
        <Panel title={devicesText('sessions')}>
          <div className="stack">
            <p>{devicesText('signedIn', { count })}</p>
            {(count > 0 || isAccessible) && can('sessions.end') && (
              <Button className="is-wide is-destructive" onClick={() => setIsOpen(true)}>
                {devicesText('endAll')}
              </Button>
            )}
          </div>
          {isOpen && <EndAllDialog userId={userId} count={count} onClose={handleClose} />}
        </Panel>
      )}
    </QueryView>
  );
};
