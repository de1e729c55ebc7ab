import type { ReactNode } from 'react';
import { useCommand } from '../../lib/state/use-command.ts';
import { controlText } from '../../messages/controls.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

type ConfirmDialogProps = {
  title: string;
  text: string;
  cancelLabel?: string;
  confirmLabel: string;
  isBad?: boolean;
  perform: () => Promise<void>;
  onClose: () => void;
};

/** A change that the user confirms; a failure is shown in the dialog. */
export const ConfirmDialog = ({
  title,
  text,
  cancelLabel = controlText('cancel'),
  confirmLabel,
  isBad = false,
  perform,
  onClose,
}: ConfirmDialogProps): ReactNode => {
  const { isBusy, failure, run } = useCommand(perform);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      end={
        <>
          <Button data-autofocus onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button variant={isBad ? 'bad' : 'primary'} isBusy={isBusy} onClick={() => void run(undefined)}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{text}</p>
        {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
      </div>
    </Dialog>
  );
};
