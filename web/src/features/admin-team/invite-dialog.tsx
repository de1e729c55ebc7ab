import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { INVITATION_DAYS } from '@shortlist/contracts/limits';
import { useCallback, useState, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { controlText } from '../../messages/controls.ts';
import { teamText } from '../../messages/team.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Pick } from '../../ui/pick.tsx';
import { ROLE_OPTIONS } from './role-names.ts';

const useInvite = (onClose: () => void) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(
    useCallback(
      async (input: { email: string; role: AdminRole }): Promise<void> => {
        await call(publicEndpoints.inviteAdmin, input, { token });
        await revalidate(['directory']);
        dispatch(toasts.added(teamText('invitationSent', { email: input.email })));
        onClose();
      },
      [token, dispatch, onClose],
    ),
  );
};

/** Invites an admin by mail. The role is always chosen. */
export const InviteDialog = ({ onClose }: { onClose: () => void }): ReactNode => {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<AdminRole>('support');
  const { isBusy, failure, run } = useInvite(onClose);
  const emailError = failure?.fields['email'];
  return (
    <Dialog
      title={teamText('inviteTitle')}
      isWide
      onClose={onClose}
      end={
        <>
          <Button onClick={onClose}>{controlText('cancel')}</Button>
          <Button variant="primary" isBusy={isBusy} onClick={() => void run({ email: email.trim(), role })}>
            {teamText('sendInvitation')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{teamText('inviteText', { days: INVITATION_DAYS })}</p>
        <TextField
          label={teamText('workEmail')}
          type="email"
          autoComplete="off"
          data-autofocus
          value={email}
          error={emailError}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Pick legend={teamText('role')} options={ROLE_OPTIONS} value={role} onChange={setRole} />
        {failure !== null && emailError === undefined && <Alert tone="bad">{failure.message}</Alert>}
      </div>
    </Dialog>
  );
};
