import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { DeviceView, TrustedDeviceView } from '@shortlist/contracts/api/sessions';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { deviceName, recentTime } from '../../lib/devices.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { accessText } from '../../messages/access.ts';
import { devicesText } from '../../messages/security.ts';
import { EndAccess, hasAccess } from '../../ui/access-list.tsx';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { DeviceIcon } from '../../ui/device-icon.tsx';
import { Badge } from '../../ui/inline.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';

export const useDevices = () => useQuery('security', publicEndpoints.listDevices, {});

/** What acts for the user beside the sessions. */
const useAccess = () => useQuery('connections', publicEndpoints.access, {});

/** The devices that skip the second step. */
export const useTrustedDevices = () => useQuery('security', publicEndpoints.listTrustedDevices, {});

/** Ends one session by its id. */
const useEndSession = (onEnded: () => Promise<unknown>) => {
  const token = useUserToken();
  return useCommand(async (id: string): Promise<void> => {
    await call(publicEndpoints.endSession, { id }, { token });
    await onEnded();
  });
};

type EndOthersDialogProps = { count: number; onClose: () => void };

/** Confirms the end of all sessions but this one, and with them of every trust in a device. */
const EndOthersDialog = ({ count, onClose }: EndOthersDialogProps): ReactNode => {
  const token = useUserToken();
  const { data: access } = useAccess();
  const [withAccess, setWithAccess] = useState(false);
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.endOtherSessions, { withAccess }, { token });
    await revalidate(['security', 'connections']);
    onClose();
  });
  const hasTrusted = (useTrustedDevices().data ?? []).length > 0;
  return (
    <ConfirmDialog
      title={devicesText('othersTitle')}
      confirmLabel={devicesText('endSessions', { count })}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{devicesText('others', { count })}</p>
      {hasTrusted && <p>{devicesText('othersTrusted')}</p>}
      {hasAccess(access) && (
        <EndAccess
          access={access}
          introduction={accessText('keepsActing')}
          isChosen={withAccess}
          onChange={setWithAccess}
        />
      )}
    </ConfirmDialog>
  );
};

const noteOf = ({ place, lastSeenAt, isCurrent }: DeviceView): string => {
  const time = isCurrent ? devicesText('now') : recentTime(lastSeenAt);
  return place === '' ? time : devicesText('withPlace', { place, time });
};

const SignOut = ({ device, onEnded }: { device: DeviceView; onEnded: () => Promise<unknown> }): ReactNode => {
  const { isBusy, failure, run } = useEndSession(onEnded);
  const name = deviceName(device);
  return (
    <>
      <Button
        variant="quiet"
        isBusy={isBusy}
        aria-label={devicesText('signOutThis', { device: name })}
        onClick={() => void run(device.id)}
      >
        {devicesText('signOut')}
      </Button>
      {failure && <FailureAlert failure={failure} />}
    </>
  );
};

type LoadedDevicesProps = { devices: DeviceView[]; onEnded: () => Promise<unknown> };

const LoadedDevices = ({ devices, onEnded }: LoadedDevicesProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  useAccess(); // ahead of the dialog, which must not grow under the pointer
  const others = devices.filter(({ isCurrent }) => !isCurrent).length;
  const end = others > 0 && (
    <Button className="is-destructive" onClick={() => setIsOpen(true)}>
      {devicesText('signOutOthers')}
    </Button>
  );
  return (
    <Panel title={devicesText('title')} end={end} isBare>
      <Lines>
        {devices.map((device) => (
          <Line
            key={device.id}
            icon={<DeviceIcon system={device.system} />}
            isMarked={device.isCurrent}
            title={
              <>
                {deviceName(device)} {device.isCurrent && <Badge>{devicesText('thisDevice')}</Badge>}
              </>
            }
            note={noteOf(device)}
          >
            {device.isCurrent ? undefined : <SignOut device={device} onEnded={onEnded} />}
          </Line>
        ))}
      </Lines>
      {isOpen && <EndOthersDialog count={others} onClose={() => setIsOpen(false)} />}
    </Panel>
  );
};

const DevicesSkeleton = (): ReactNode => (
  <Skeleton label={devicesText('loading')}>
    <Panel title={devicesText('title')} isBare>
      <Lines>
        <Line
          icon={<DeviceIcon system="" />}
          title={<Bar width="40%" height="1.5rem" />}
          note={<Bar width="30%" height="1.25rem" />}
        />
      </Lines>
    </Panel>
  </Skeleton>
);

/** The devices on which the user is signed in. Each but this one can be signed out. */
export const DevicesPanel = (): ReactNode => {
  const query = useDevices();
  return (
    <QueryView query={query} skeleton={<DevicesSkeleton />} errorTitle={devicesText('failed')}>
      {(devices) => <LoadedDevices devices={devices} onEnded={query.mutate} />}
    </QueryView>
  );
};

/** Makes a device take the second step again. */
const useRemoveTrusted = (onRemoved: () => Promise<unknown>) => {
  const token = useUserToken();
  return useCommand(async (id: string): Promise<void> => {
    await call(publicEndpoints.removeTrustedDevice, { id }, { token });
    await onRemoved();
  });
};

const trustNoteOf = ({ place, endsAt }: TrustedDeviceView): string => {
  const until = devicesText('trustedUntil', { day: shortDay(endsAt) });
  return place === '' ? until : devicesText('trustedAt', { place, until });
};

type RemoveTrustedProps = { device: TrustedDeviceView; onRemoved: () => Promise<unknown> };

const RemoveTrusted = ({ device, onRemoved }: RemoveTrustedProps): ReactNode => {
  const { isBusy, failure, run } = useRemoveTrusted(onRemoved);
  return (
    <>
      <Button
        variant="quiet"
        isBusy={isBusy}
        aria-label={devicesText('requireThis', { device: deviceName(device) })}
        onClick={() => void run(device.id)}
      >
        {devicesText('require')}
      </Button>
      {failure && <FailureAlert failure={failure} />}
    </>
  );
};

/** The devices that skip the second step; nothing while there are none. */
export const TrustedDevicesPanel = (): ReactNode => {
  const query = useTrustedDevices();
  return (
    <QueryView query={query} skeleton={null} errorTitle={devicesText('failed')}>
      {(devices) =>
        devices.length > 0 && (
          <Panel title={devicesText('trustedTitle')} isBare>
            <Lines>
              {devices.map((device) => (
                <Line
                  key={device.id}
                  icon={<DeviceIcon system={device.system} />}
                  title={deviceName(device)}
                  note={trustNoteOf(device)}
                >
                  <RemoveTrusted device={device} onRemoved={query.mutate} />
                </Line>
              ))}
            </Lines>
          </Panel>
        )
      }
    </QueryView>
  );
};
