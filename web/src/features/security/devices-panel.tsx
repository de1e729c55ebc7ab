import type { DeviceView } from '@shortlist/contracts/api/public-sessions';
import { useState, type ReactNode } from 'react';
import { devicesText } from '../../messages/devices.ts';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Line, Lines } from '../../ui/lines.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';
import { DeviceIcon } from './device-icon.tsx';
import { deviceName, recentTime } from './device-text.ts';
import { EndOthersDialog } from './end-others-dialog.tsx';
import { useDevices, useEndSession } from './use-devices.ts';

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
      {failure && <Alert tone="bad">{failure.message}</Alert>}
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
      {isOpen && <EndOthersDialog count={others} onClose={() => setIsOpen(false)} onEnded={onEnded} />}
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
