import { ADMIN_ROLES, type AdminRole } from '@shortlist/contracts/admin-permissions';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { TeamMember } from '@shortlist/contracts/api/team';
import Ban from 'lucide-react/icons/ban';
import KeyRound from 'lucide-react/icons/key-round';
import LogOut from 'lucide-react/icons/log-out';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Trash2 from 'lucide-react/icons/trash-2';
import { useCallback, useState, type ReactNode } from 'react';
import { call } from '../../lib/api/call.ts';
import { longDate } from '../../lib/dates.ts';
import { useAdminToken } from '../../lib/state/hooks.ts';
import { teamText } from '../../messages/team.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { ACTION_NAMES, MEMBER_ACTIONS, type MemberActionName } from './member-actions.ts';
import { roleName } from './role-names.ts';

const ICONS: Record<MemberActionName, typeof Ban> = {
  endSessions: LogOut,
  removeFactors: KeyRound,
  suspend: Ban,
  restore: RotateCcw,
  remove: Trash2,
};

type MemberProps = { member: TeamMember };

const Actions = ({ member }: MemberProps): ReactNode => {
  const { id, email } = member;
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
            icon={<Icon size={18} strokeWidth={1.75} aria-hidden="true" />}
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

const RoleSelect = ({ member: { id, email, role } }: MemberProps): ReactNode => {
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
              {roleName(value)}
            </option>
          ))}
        </select>
      </span>
      {next !== null && (
        <ChangeDialog
          title={teamText('changeTitle', { email })}
          text={teamText('changeText', { before: roleName(role), after: roleName(next), email })}
          confirm={teamText('changeIt')}
          perform={() => call(publicEndpoints.changeAdminRole, { id, role: next }, { token })}
          onClose={close}
        />
      )}
    </>
  );
};

const lastLogInOf = ({ lastLogInAt }: TeamMember): string =>
  lastLogInAt === null ? teamText('never') : longDate(lastLogInAt);

/** One admin. An owner cannot change their own access, so that line has no actions. */
export const MemberRow = ({ member, isOwn }: MemberProps & { isOwn: boolean }): ReactNode => (
  <tr className={isOwn ? 'is-marked' : undefined}>
    <td className="strong">
      <bdi>{member.email}</bdi> {isOwn && <span className="muted">{teamText('you')}</span>}
      {member.isSuspended && <Badge>{teamText('suspended')}</Badge>}
    </td>
    <td data-label={teamText('role')}>{isOwn ? roleName(member.role) : <RoleSelect member={member} />}</td>
    <td data-label={teamText('twoStep')}>{teamText(member.factor ?? 'noFactor')}</td>
    <td data-label={teamText('lastLogIn')}>{lastLogInOf(member)}</td>
    <td>{!isOwn && <Actions member={member} />}</td>
  </tr>
);
