import type { ReactNode } from 'react';
import { devicesText } from '../../messages/devices.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useEndOthers, useTrustedDevices } from './use-devices.ts';

type EndOthersDialogProps = { count: number; onClose: () => void; onEnded: () => Promise<unknown> };

/** Confirms the end of all sessions but this one. */
export const EndOthersDialog = ({ count, onClose, onEnded }: EndOthersDialogProps): ReactNode => {
  const { isBusy, failure, run } = useEndOthers(async () => {
    await onEnded();
    onClose();
  });
  const hasTrusted = (useTrustedDevices().data ?? []).length > 0;
  return (
    <Dialog
      title={devicesText('othersTitle')}
      onClose={onClose}
      end={
        <>
          <Button data-autofocus onClick={onClose}>
            {devicesText('cancel')}
          </Button>
          <Button variant="bad" isBusy={isBusy} onClick={() => void run(undefined)}>
            {devicesText('endSessions', { count })}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{devicesText('others', { count })}</p>
        {hasTrusted && <p>{devicesText('othersTrusted')}</p>}
        {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
      </div>
    </Dialog>
  );
};
