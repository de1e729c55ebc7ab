import type { FactorsView } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import useSWR from 'swr';
import { call } from '../../lib/api/call.ts';
import { isAdminPath } from '../../lib/paths.ts';
import { useAdminToken, useUserToken } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { controlText } from '../../messages/shell.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** The token of the area that the page belongs to: users and admins have the same settings. */
export const useAreaToken = (): string | null => {
  const isAdmin = isAdminPath(useLocation().pathname);
  const [user, admin] = [useUserToken(), useAdminToken()];
  return isAdmin ? admin : user;
};

export const useFactors = () => {
  const token = useAreaToken();
  return useSWR<FactorsView, unknown>(
    token === null ? null : ['factors', token],
    async () => (await call(publicEndpoints.factors, {}, { token })).data,
  );
};

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
          <Button variant={isBad ? 'bad' : 'primary'} isBusy={isBusy} onClick={() => void run()}>
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
