import { readableEmail } from '@shortlist/contracts/unicode';
import { ADMIN_ROLES, type AdminRole, adminRoleText } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { TeamMember } from '@shortlist/contracts/api/team';
import type { Suppression } from '@shortlist/contracts/api/email';
import { FACTOR_REASON_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { adminName, initialsOf } from '../../lib/data/use-account.ts';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortDay, tableTime } from '../../lib/dates.ts';
import { useAdminToken, useAppDispatch } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { teamText } from '../../messages/team.ts';
import { Avatar, Badge, Email, ICON } from '../../ui/inline.tsx';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import Ban from 'lucide-react/icons/ban';
import KeyRound from 'lucide-react/icons/key-round';
import LogOut from 'lucide-react/icons/log-out';
import MailCheck from 'lucide-react/icons/mail-check';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Trash2 from 'lucide-react/icons/trash-2';

type MemberActionName = 'endSessions' | 'removeFactors' | 'suspend' | 'restore' | 'remove';

type MemberAction = {
  text: string;
  confirm: string;
  isBad: boolean;
  needsReason: boolean;
  isOffered: (member: TeamMember) => boolean;
  perform: (input: { id: string; reason: string }, token: string | null) => Promise<unknown>;
};

/** What an owner can do to another admin. */
const MEMBER_ACTIONS: Record<MemberActionName, MemberAction> = {
  endSessions: {
    text: teamText('endSessionsText'),
    confirm: teamText('endThem'),
    isBad: false,
    needsReason: false,
    isOffered: ({ isSuspended }) => !isSuspended,
    perform: ({ id }, token) => call(publicEndpoints.endAdminSessions, { id }, { token }),
  },
  removeFactors: {
    text: teamText('removeFactorsText'),
    confirm: teamText('removeFactorsIt'),
    isBad: true,
    needsReason: true,
    isOffered: ({ factor }) => factor !== null,
    perform: (input, token) => call(publicEndpoints.removeAdminFactors, input, { token }),
  },
  suspend: {
    text: teamText('suspendText'),
    confirm: teamText('suspendIt'),
    isBad: true,
    needsReason: true,
    isOffered: ({ isSuspended }) => !isSuspended,
    perform: (input, token) => call(publicEndpoints.suspendAdmin, input, { token }),
  },
  restore: {
    text: teamText('restoreText'),
    confirm: teamText('restoreIt'),
    isBad: false,
    needsReason: false,
    isOffered: ({ isSuspended }) => isSuspended,
    perform: ({ id }, token) => call(publicEndpoints.restoreAdmin, { id }, { token }),
  },
  remove: {
    text: teamText('removeText'),
    confirm: teamText('removeIt'),
    isBad: true,
    needsReason: false,
    isOffered: () => true,
    perform: ({ id }, token) => call(publicEndpoints.removeAdmin, { id }, { token }),
  },
};

const ACTION_NAMES = Object.keys(MEMBER_ACTIONS) as MemberActionName[];

type ChangeDialogProps = {
  title: string;
  text: string;
  confirm: string;
  isBad?: boolean;
  needsReason?: boolean;
  perform: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

/** A change of the team that an owner confirms, with a reason where one is kept. */
export const ChangeDialog = (props: ChangeDialogProps): ReactNode => {
  const { title, text, confirm, isBad = false, needsReason = false, perform, onClose } = props;
  const [reason, setReason] = useState('');
  const command = useCommand(async (): Promise<void> => {
    await perform(reason.trim());
    await revalidate(['directory']);
    onClose();
  });
  const reasonError = command.failure?.fields['reason'];
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirm}
      isBad={isBad}
      command={command}
      isFailureAtField={reasonError !== undefined}
      onClose={onClose}
    >
      <p>{text}</p>
      {needsReason && (
        <TextField
          label={teamText('reason')}
          help={teamText('reasonHelp')}
          maxLength={FACTOR_REASON_MAX}
          data-autofocus
          value={reason}
          error={reasonError}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
    </ConfirmDialog>
  );
};

const ICONS: Record<MemberActionName, typeof Ban> = {
  endSessions: LogOut,
  removeFactors: KeyRound,
  suspend: Ban,
  restore: RotateCcw,
  remove: Trash2,
};

type MemberProps = { member: TeamMember };

const Actions = ({ member }: MemberProps): ReactNode => {
  const { id } = member;
  const email = readableEmail(member.email);
  const token = useAdminToken();
  const [open, setOpen] = useState<MemberActionName | null>(null);
  const close = useCallback(() => setOpen(null), []);
  const action = open === null ? null : MEMBER_ACTIONS[open];
  return (
    <div className="row-actions">
      {ACTION_NAMES.filter((name) => MEMBER_ACTIONS[name].isOffered(member)).map((name) => {
        const Icon = ICONS[name];
        return (
          <IconButton
            key={name}
            isSmall
            label={teamText(name, { email })}
            icon={<Icon {...ICON} />}
            onClick={() => setOpen(name)}
          />
        );
      })}
      {open !== null && action !== null && (
        <ChangeDialog
          {...action}
          title={teamText(open, { email })}
          perform={(reason) => action.perform({ id, reason }, token)}
          onClose={close}
        />
      )}
    </div>
  );
};

/** Why mails do not reach an address. */
export const SuppressionNote = ({
  suppression: { kind, at, reason },
}: {
  suppression: Suppression;
}): ReactNode => (
  <small className="data-table-note">{teamText(kind, { day: shortDay(at), reason: reason || 'none' })}</small>
);

const RetryEmail = ({ member: { id, ...member } }: MemberProps): ReactNode => {
  const email = readableEmail(member.email);
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const { isBusy, failure, run } = useCommand(async (): Promise<void> => {
    await call(publicEndpoints.retryAdminEmail, { id }, { token });
    dispatch(toasts.added(teamText('triedEmailAgain', { email })));
    await revalidate(['directory']);
  });
  useEffect(() => {
    if (failure !== null) dispatch(toasts.added(failure.message, true));
  }, [failure, dispatch]);
  return (
    <div className="row-actions">
      <IconButton
        isSmall
        isBusy={isBusy}
        label={teamText('tryEmailAgain', { email })}
        icon={<MailCheck {...ICON} />}
        onClick={() => void run()}
      />
    </div>
  );
};

const RoleSelect = ({ member: { id, role, ...member } }: MemberProps): ReactNode => {
  const email = readableEmail(member.email);
  const token = useAdminToken();
  const [next, setNext] = useState<AdminRole | null>(null);
  const close = useCallback(() => setNext(null), []);
  return (
    <>
      <span className="select is-small is-auto">
        <select
          aria-label={teamText('roleOf', { email })}
          value={role}
          onChange={(event) => setNext(ADMIN_ROLES.find((value) => value === event.target.value) ?? null)}
        >
          {ADMIN_ROLES.map((value) => (
            <option key={value} value={value}>
              {adminRoleText(value)}
            </option>
          ))}
        </select>
      </span>
      {next !== null && (
        <ChangeDialog
          title={teamText('changeTitle', { email })}
          text={teamText('changeText', { before: adminRoleText(role), after: adminRoleText(next), email })}
          confirm={teamText('changeIt')}
          perform={() => call(publicEndpoints.changeAdminRole, { id, role: next }, { token })}
          onClose={close}
        />
      )}
    </>
  );
};

const lastLogInOf = ({ lastLogInAt }: TeamMember): string =>
  lastLogInAt === null ? teamText('never') : tableTime(lastLogInAt);

type RowProps = MemberProps & { isOwn: boolean; suppression: Suppression | null };

/** One admin. An owner cannot change their own access, so that line has no actions. */
export const MemberRow = ({ member, isOwn, suppression }: RowProps): ReactNode => (
  <tr className={isOwn ? 'is-marked' : undefined}>
    <td className="data-table-name">
      <span className="user-name">
        <Avatar name={initialsOf(member)} />
        <span>
          <bdi>{adminName(member)}</bdi> {isOwn && <span className="muted">{teamText('you')}</span>}
          {member.isSuspended && <Badge>{teamText('suspended')}</Badge>}
          {member.name !== null && (
            <small className="data-table-note">
              <Email>{member.email}</Email>
            </small>
          )}
          {suppression !== null && <SuppressionNote suppression={suppression} />}
        </span>
      </span>
    </td>
    <td data-label={teamText('role')}>
      {isOwn ? adminRoleText(member.role) : <RoleSelect member={member} />}
    </td>
    <td data-label={teamText('twoStep')}>{teamText(member.factor ?? 'noFactor')}</td>
    <td data-label={teamText('lastLogIn')}>{lastLogInOf(member)}</td>
    <td>
      {suppression !== null && <RetryEmail member={member} />}
      {!isOwn && <Actions member={member} />}
    </td>
  </tr>
);
