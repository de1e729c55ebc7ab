import type { DirectoryRow } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { useUserCommand } from '../../lib/state/use-user-command.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

type DeleteDialogProps = { row: DirectoryRow; onClose: () => void };

export const DeleteDialog = ({ row, onClose }: DeleteDialogProps): ReactNode => {
  const { isBusy, failure, run } = useUserCommand('remove');
  return (
    <Dialog
      title="Delete This User!"
      onClose={onClose}
      end={
        <>
          <Button data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button variant="bad" isBusy={isBusy} onClick={() => run({ id: row.id })}>
            Yes
          </Button>
        </>
      }
    >
      <div className="stack">
        <div>
          <p className="lead">
            Do you want to delete {row.firstName} {row.lastName} permanently?
          </p>
          <p>They are logged out everywhere at once, and a running subscription is cancelled.</p>
        </div>
        {failure !== null && <Alert tone="bad">{failure.message}</Alert>}
      </div>
    </Dialog>
  );
};
