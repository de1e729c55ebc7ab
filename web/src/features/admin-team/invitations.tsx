import { readableEmail } from '@shortlist/contracts/unicode';
import { type AdminRole, adminRoleText } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Suppression } from '@shortlist/contracts/api/email';
import type { AdminInvitation } from '@shortlist/contracts/api/team';
import { INVITATION_DAYS } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortDay } from '../../lib/dates.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { controlText } from '../../messages/shell.ts';
import { teamText } from '../../messages/team.ts';
import { FailureAlert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Pick } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Badge, Email, ICON } from '../../ui/inline.tsx';
import { ChangeDialog, SuppressionNote } from './members.tsx';
import { ROLE_OPTIONS } from './roles-panel.tsx';
import Mail from 'lucide-react/icons/mail';
import Trash2 from 'lucide-react/icons/trash-2';

const useInvite = (onClose: () => void) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  return useCommand(async (input: { email: string; role: AdminRole }): Promise<void> => {
    await call(publicEndpoints.inviteAdmin, input, { token });
    await revalidate(['directory']);
    dispatch(toasts.added(teamText('invitationSent', { email: readableEmail(input.email) })));
    onClose();
  });
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
        {failure !== null && emailError === undefined && <FailureAlert failure={failure} />}
      </div>
    </Dialog>
  );
};

type InvitationProps = { invitation: AdminInvitation };
type RowProps = InvitationProps & { suppression: Suppression | null };

const Resend = ({ invitation: { id, email } }: InvitationProps): ReactNode => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.resendInvitation, { id }, { token });
    await revalidate(['directory']);
    dispatch(toasts.added(teamText('invitationSent', { email: readableEmail(email) })));
  });
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(failure.message, true));
  }, [failure, dispatch]);
  return (
    <IconButton
      isSmall
      isBusy={isBusy}
      label={teamText('resend', { email: readableEmail(email) })}
      icon={<Mail {...ICON} />}
      onClick={() => void run()}
    />
  );
};

const Withdraw = ({ invitation: { id, email } }: InvitationProps): ReactNode => {
  const token = useAdminToken();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return (
    <>
      <IconButton
        isSmall
        label={teamText('withdraw', { email: readableEmail(email) })}
        icon={<Trash2 {...ICON} />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <ChangeDialog
          title={teamText('withdrawTitle')}
          text={teamText('withdrawText', { email: readableEmail(email) })}
          confirm={teamText('withdrawIt')}
          isBad
          perform={() => call(publicEndpoints.cancelInvitation, { id }, { token })}
          onClose={close}
        />
      )}
    </>
  );
};

/** An open invitation among the admins. */
export const InvitationRow = ({ invitation, suppression }: RowProps): ReactNode => {
  const { email, role, invitedBy, expiresAt, isExpired } = invitation;
  const note = teamText('invitedBy', {
    by: invitedBy === null ? 'none' : readableEmail(invitedBy),
    isExpired: String(isExpired),
    day: shortDay(expiresAt),
  });
  return (
    <tr>
      <td className="data-table-name">
        <Email>{email}</Email>
        <small className="data-table-note">{note}</small>
        {suppression !== null && <SuppressionNote suppression={suppression} />}
      </td>
      <td data-label={teamText('role')}>{adminRoleText(role)}</td>
      <td className="is-blank" />
      <td>
        <Badge>{teamText(isExpired ? 'expired' : 'invited')}</Badge>
      </td>
      <td>
        <div className="row-actions">
          <Resend invitation={invitation} />
          <Withdraw invitation={invitation} />
        </div>
      </td>
    </tr>
  );
};
