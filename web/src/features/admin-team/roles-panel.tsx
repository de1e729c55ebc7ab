import { ADMIN_ROLES, may, type Permission } from '@shortlist/contracts/admin-permissions';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { teamText } from '../../messages/team.ts';
import { Panel } from '../../ui/panel.tsx';
import { roleName } from './role-names.ts';

const ROWS: readonly (readonly [Permission, string])[] = [
  ['users.read', teamText('mayRead')],
  ['users.edit', teamText('mayEdit')],
  ['plan.grant', teamText('mayPlan')],
  ['factors.remove', teamText('mayFactors')],
  ['users.export', teamText('mayExport')],
  ['revenue.read', teamText('mayRevenue')],
  ['audit.read', teamText('mayAudit')],
  ['users.delete', teamText('mayDelete')],
  ['team.manage', teamText('mayTeam')],
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
    <div className="scroll" tabIndex={0} role="region" aria-label={teamText('rolesTitle')}>
      <table className="list is-stacked is-roles">
        <thead>
          <tr>
            <th scope="col" aria-label={teamText('rolesTitle')} />
            {ADMIN_ROLES.map((role) => (
              <th key={role} scope="col">
                {roleName(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([permission, label]) => (
            <tr key={permission}>
              <td className="strong">{label}</td>
              {ADMIN_ROLES.map((role) => (
                <td key={role} data-label={roleName(role)}>
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
