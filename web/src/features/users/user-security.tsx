import type { FactorsView } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { UserDeviceView } from '@shortlist/contracts/api/sessions';
import { FACTOR_REASON_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { deviceName, recentTime } from '../../lib/devices.ts';
import { useAdminToken, useCan } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { accessText } from '../../messages/access.ts';
import { devicesText, twoStepText } from '../../messages/security.ts';
import { EndAccess, hasAccess } from '../../ui/access-list.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { DeviceIcon } from '../../ui/device-icon.tsx';
import { TextField } from '../../ui/field.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { useUserAccess } from './user-access.tsx';
import { useUserDevices } from './user-data.ts';

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

type FactorsProps = { id: string; factors: FactorsView; onRemoved: () => Promise<unknown> };

const describe = ({ totpSince, passkeys }: FactorsView): string => {
  const state =
    totpSince === null ? twoStepText('ofUserOff') : twoStepText('ofUserOn', { day: shortDay(totpSince) });
  return `${state}. ${twoStepText('passkeyCount', { count: passkeys.length })}`;
};

const Factors = ({ id, factors, onRemoved }: FactorsProps): ReactNode => {
  const can = useCan();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const hasFactors = factors.totpSince !== null || factors.passkeys.length > 0;
  return (
    <Panel title={twoStepText('ofUser')} isBare>
      <Lines>
        <Line title={describe(factors)}>
          {hasFactors && can('factors.remove') && (
            <Button onClick={() => setIsOpen(true)}>{twoStepText('removeFactors')}</Button>
          )}
        </Line>
      </Lines>
      {isOpen && <RemoveDialog id={id} onRemoved={onRemoved} onClose={close} />}
    </Panel>
  );
};

/** The user's second factors, which support removes for a user who has lost them. */
export const UserFactors = ({ id }: { id: string }): ReactNode => {
  const query = useUserFactors(id);
  const skeleton = (
    <Skeleton label={twoStepText('ofUserLoading')}>
      <SkeletonPanel lines={1} />
    </Skeleton>
  );
  return (
    <QueryView query={query} skeleton={skeleton} errorTitle={twoStepText('ofUserFailed')}>
      {(factors) => <Factors id={id} factors={factors} onRemoved={query.mutate} />}
    </QueryView>
  );
};

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

const noteOf = ({ place, lastSeenAt }: UserDeviceView): string => {
  const time = recentTime(lastSeenAt);
  return place === '' ? time : devicesText('withPlace', { place, time });
};

type EndSessionDialogProps = { userId: string; device: UserDeviceView; onClose: () => void };

/** Ends one session of the user, which loses what is typed there. */
const EndSessionDialog = ({ userId, device, onClose }: EndSessionDialogProps): ReactNode => {
  const token = useAdminToken();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.endUserDevice, { id: userId, sessionId: device.id }, { token });
    await revalidate(['directory']); // also the audit log
    onClose();
  });
  return (
    <ConfirmDialog
      title={devicesText('endOneTitle')}
      confirmLabel={devicesText('endOne')}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{devicesText('endOneNote', { device: deviceName(device) })}</p>
    </ConfirmDialog>
  );
};

type SessionsProps = { userId: string; devices: UserDeviceView[] };

const Sessions = ({ userId, devices }: SessionsProps): ReactNode => {
  const mayEnd = useCan()('sessions.end');
  const [isEndingAll, setIsEndingAll] = useState(false);
  const [ended, setEnded] = useState<UserDeviceView | null>(null);
  const close = useCallback(() => {
    setIsEndingAll(false);
    setEnded(null);
  }, []);
  const count = devices.length;
  const isAccessible = hasAccess(useUserAccess(userId).data);
  const end = (count > 0 || isAccessible) && mayEnd && (
    <Button className="is-destructive" onClick={() => setIsEndingAll(true)}>
      {devicesText('endAll')}
    </Button>
  );
  return (
    <Panel title={devicesText('sessions')} end={end} isBare={count > 0}>
      {count === 0 ? (
        <p>{devicesText('noSession')}</p>
      ) : (
        <Lines>
          {devices.map((device) => (
            <Line
              key={device.id}
              icon={<DeviceIcon system={device.system} />}
              title={deviceName(device)}
              note={noteOf(device)}
            >
              {mayEnd && (
                <Button
                  variant="quiet"
                  aria-label={accessText('endThis', { name: deviceName(device) })}
                  onClick={() => setEnded(device)}
                >
                  {accessText('end')}
                </Button>
              )}
            </Line>
          ))}
        </Lines>
      )}
      {isEndingAll && <EndAllDialog userId={userId} count={count} onClose={close} />}
      {ended !== null && <EndSessionDialog userId={userId} device={ended} onClose={close} />}
    </Panel>
  );
};

/** The sessions of a user, and the end of one or all of them. */
export const UserSessionsPanel = ({ userId }: { userId: string }): ReactNode => {
  const skeleton = (
    <Skeleton label={devicesText('sessionsLoading')}>
      <SkeletonPanel lines={1} />
    </Skeleton>
  );
  return (
    <QueryView query={useUserDevices(userId)} skeleton={skeleton} errorTitle={devicesText('sessionsFailed')}>
      {(devices) => <Sessions userId={userId} devices={devices} />}
    </QueryView>
  );
};
