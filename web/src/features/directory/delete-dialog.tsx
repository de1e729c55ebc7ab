import { type DirectoryRow, publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/live-updates.ts';
import { paths } from '../../lib/paths.ts';
import { useAdminToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { directoryText } from '../../messages/directory.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { nameOf } from './user-rows.tsx';

type DeleteDialogProps = { row: DirectoryRow; onClose: () => void };

export const DeleteDialog = ({ row, onClose }: DeleteDialogProps): ReactNode => {
  const token = useAdminToken();
  const navigate = useNavigate();
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.deleteUser, { id: row.id }, { token });
    await revalidate(['directory']);
    await navigate(paths.userDeleted);
  });
  return (
    <Dialog
      title={directoryText('deleteTitle')}
      onClose={onClose}
      end={
        <>
          <Button data-autofocus onClick={onClose}>
            {directoryText('cancel')}
          </Button>
          <Button variant="bad" isBusy={isBusy} onClick={() => void run()}>
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
