import type { AdminInvitation } from '@shortlist/contracts/api/team';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import Mail from 'lucide-react/icons/mail';
import Trash2 from 'lucide-react/icons/trash-2';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/revalidate.ts';
import { longDay } from '../../lib/dates.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { teamText } from '../../messages/team.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { roleName } from './role-names.ts';

const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

type RowProps = { invitation: AdminInvitation };

const Resend = ({ invitation: { id, email } }: RowProps): ReactNode => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useCommand(
    useCallback(async (): Promise<void> => {
      await call(publicEndpoints.resendInvitation, { id }, { token });
      await revalidate(['directory']);
      dispatch(toasts.added(teamText('invitationSent', { email })));
    }, [id, email, token, dispatch]),
  );
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(failure.message, true));
  }, [failure, dispatch]);
  return (
    <IconButton
      isSmall
      isBusy={isBusy}
      label={teamText('resend', { email })}
      icon={<Mail {...ICON} />}
      onClick={() => void run(undefined)}
    />
  );
};

const Withdraw = ({ invitation: { id, email } }: RowProps): ReactNode => {
  const token = useAdminToken();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return (
    <>
      <IconButton
        isSmall
        label={teamText('withdraw', { email })}
        icon={<Trash2 {...ICON} />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <ChangeDialog
          title={teamText('withdrawTitle')}
          text={teamText('withdrawText', { email })}
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
export const InvitationRow = ({ invitation }: RowProps): ReactNode => {
  const { email, role, invitedBy, expiresAt, isExpired } = invitation;
  const note = teamText('invitedBy', {
    by: invitedBy ?? 'none',
    isExpired: String(isExpired),
    day: longDay(expiresAt),
  });
  return (
    <tr>
      <td className="strong">
        <bdi>{email}</bdi>
        <small className="cell-note">{note}</small>
      </td>
      <td data-label={teamText('role')}>{roleName(role)}</td>
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
