import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { DeviceView } from '@shortlist/contracts/api/sessions';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { devicesText } from '../../messages/security.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Badge } from '../../ui/inline.tsx';
import { focusHeading } from '../../ui/page-header.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { Bar, QueryView, Skeleton } from '../../ui/states.tsx';
import { DeviceIcon, deviceName, recentTime } from './devices.tsx';

export const useDevices = () => useQuery('security', publicEndpoints.listDevices, {});

/** The devices that skip the second step. */
export const useTrustedDevices = () => useQuery('security', publicEndpoints.listTrustedDevices, {});

/** Makes a device take the second step again. */
export const useRemoveTrusted = (onRemoved: () => Promise<unknown>) => {
  const token = useUserToken();
  return useCommand(async (id: string): Promise<void> => {
    await call(publicEndpoints.removeTrustedDevice, { id }, { token });
    // The button goes with its line.
    focusHeading();
    await onRemoved();
  });
};

/** Ends one session by its id. */
const useEndSession = (onEnded: () => Promise<unknown>) => {
  const token = useUserToken();
  return useCommand(async (id: string): Promise<void> => {
    await call(publicEndpoints.endSession, { id }, { token });
    // The button goes with its line.
    focusHeading();
    await onEnded();
  });
};

type EndOthersDialogProps = { count: number; onClose: () => void };

/** Confirms the end of all sessions but this one, and with them of every trust in a device. */
const EndOthersDialog = ({ count, onClose }: EndOthersDialogProps): ReactNode => {
  const token = useUserToken();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.endOtherSessions, {}, { token });
    await revalidate(['security']);
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
