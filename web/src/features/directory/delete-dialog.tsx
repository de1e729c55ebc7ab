import type { DirectoryRow } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { useUserCommand } from '../../lib/state/use-command.ts';
import { directoryText } from '../../messages/directory.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { nameOf } from './user-rows.tsx';

type DeleteDialogProps = { row: DirectoryRow; onClose: () => void };

export const DeleteDialog = ({ row, onClose }: DeleteDialogProps): ReactNode => {
  const { isBusy, failure, run } = useUserCommand('remove');
  return (
    <Dialog
      title={directoryText('deleteTitle')}
      onClose={onClose}
      end={
        <>
          <Button data-autofocus onClick={onClose}>
            {directoryText('cancel')}
          </Button>
          <Button variant="bad" isBusy={isBusy} onClick={() => run({ id: row.id })}>
            {directoryText('yes')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <div>
          <p className="lead">{directoryText('deleteQuestion', { name: nameOf(row) })}</p>
          <p>{directoryText('deleteEffect')}</p>
        </div>
        {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
      </div>
    </Dialog>
  );
};
