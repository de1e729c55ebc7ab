import type { TrustedDeviceView } from '@shortlist/contracts/api/sessions';
import type { ReactNode } from 'react';
import { dayOfYear } from '../../lib/dates.ts';
import { devicesText } from '../../messages/security.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/states.tsx';
import { DeviceIcon, deviceName } from './devices.tsx';
import { useRemoveTrusted, useTrustedDevices } from './devices-panel.tsx';

const noteOf = ({ place, endsAt }: TrustedDeviceView): string => {
  const until = devicesText('trustedUntil', { day: dayOfYear(endsAt) });
  return place === '' ? until : devicesText('trustedAt', { place, until });
};

type RemoveProps = { device: TrustedDeviceView; onRemoved: () => Promise<unknown> };

const Remove = ({ device, onRemoved }: RemoveProps): ReactNode => {
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
                  note={noteOf(device)}
                >
                  <Remove device={device} onRemoved={query.mutate} />
                </Line>
              ))}
            </Lines>
          </Panel>
        )
      }
    </QueryView>
  );
};
