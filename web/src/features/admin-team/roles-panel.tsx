import { ADMIN_ROLES, adminRoleText, may, type Permission } from '@shortlist/contracts/admin-permissions';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { teamText } from '../../messages/team.ts';
import { Panel } from '../../ui/panel.tsx';

/** The roles with a note on what each may do. */
export const ROLE_OPTIONS = ADMIN_ROLES.map((role) => ({
  value: role,
  label: adminRoleText(role),
  note: teamText(`${role}Note`),
}));

const ROWS: readonly (readonly [Permission, string])[] = [
  ['users.read', teamText('mayRead')],
  ['users.edit', teamText('mayEdit')],
  ['impersonate', teamText('mayViewAs')],
  ['plan.grant', teamText('mayPlan')],
  ['credits.adjust', teamText('mayCredits')],
  ['factors.remove', teamText('mayFactors')],
  ['users.export', teamText('mayExport')],
  ['revenue.read', teamText('mayRevenue')],
  ['audit.read', teamText('mayAudit')],
  ['audit.export', teamText('mayExportAudit')],
  ['users.delete', teamText('mayDelete')],
  ['team.manage', teamText('mayTeam')],
  ['tools.manage', teamText('mayTools')],
];

const Answer = ({ isAllowed }: { isAllowed: boolean }): ReactNode => (
  <>
    {isAllowed ? (
      <Check size={16} strokeWidth={1.75} aria-hidden="true" />
    ) : (
      <span aria-hidden="true">–</span>
    )}
    <span className="visually-hidden">{teamText(isAllowed ? 'yes' : 'no')}</span>
  </>
);

/** What each role may do, from the table by which the server decides. */
export const RolesPanel = (): ReactNode => (
  <Panel title={teamText('rolesTitle')} isBare>
    <div className="table-scroll" tabIndex={0} role="region" aria-label={teamText('rolesTitle')}>
      <table className="data-table is-stacked is-roles">
        <thead>
          <tr>
            <th scope="col" aria-label={teamText('rolesTitle')} />
            {ADMIN_ROLES.map((role) => (
              <th key={role} scope="col">
                {adminRoleText(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([permission, label]) => (
            <tr key={permission}>
              <td className="data-table-name">{label}</td>
              {ADMIN_ROLES.map((role) => (
                <td key={role} data-label={adminRoleText(role)}>
                  <Answer isAllowed={may(role, permission)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Panel>
);
