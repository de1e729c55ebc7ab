import type { DirectoryRow } from '@shortlist/contracts/api/public';
import { useCallback, type ReactNode } from 'react';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
import { userCommands } from '../../lib/state/user-commands.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

type DeleteDialogProps = { row: DirectoryRow; onClose: () => void };

export const DeleteDialog = ({ row, onClose }: DeleteDialogProps): ReactNode => {
  const { busy, failure } = useAppSelector((state) => state.userCommands.remove);
  const dispatch = useAppDispatch();
  const close = useCallback((): void => {
    dispatch(userCommands.reset('remove'));
    onClose();
  }, [dispatch, onClose]);
  return (
    <Dialog
      title="Delete This User!"
      onClose={close}
      end={
        <>
          <Button data-autofocus onClick={close}>
            Cancel
          </Button>
          <Button
            look="bad"
            isBusy={busy}
            onClick={() => dispatch(userCommands.requested({ name: 'remove', id: row.id }))}
          >
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
