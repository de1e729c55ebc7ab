import { type DirectoryRow, publicEndpoints } from '@shortlist/contracts/api/public';
import { fullName } from '@shortlist/contracts/full-name';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { tableDate } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useAdminToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { directoryText } from '../../messages/directory.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Details } from '../../ui/panel.tsx';

type DeleteDialogProps = { row: DirectoryRow; onClose: () => void };

export const DeleteDialog = ({ row, onClose }: DeleteDialogProps): ReactNode => {
  const token = useAdminToken();
  const navigate = useNavigate();
  const command = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.deleteUser, { id: row.id }, { token });
    await revalidate(['directory']);
    await navigate(paths.userDeleted);
  });
  return (
    <ConfirmDialog
      title={directoryText('deleteTitle')}
      confirmLabel={directoryText('yes')}
      isBad
      command={command}
      onClose={onClose}
    >
      <div>
        <p className="lead">{directoryText('deleteQuestion', { name: fullName(row) })}</p>
        <p>{directoryText('deleteEffect')}</p>
      </div>
      <Details
        rows={[
          [directoryText('email'), <bdi key="email">{row.email}</bdi>],
          [directoryText('plan'), directoryText(row.plan)],
          [directoryText('joinDate'), tableDate(row.createdAt)],
        ]}
      />
    </ConfirmDialog>
  );
};
