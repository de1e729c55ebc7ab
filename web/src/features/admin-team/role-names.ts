import { ADMIN_ROLES, type AdminRole } from '@shortlist/contracts/admin-permissions';
import { teamText } from '../../messages/team.ts';

export const roleName = (role: AdminRole): string => teamText(role);

/** The roles with a note on what each may do. */
export const ROLE_OPTIONS = ADMIN_ROLES.map((role) => ({
  value: role,
  label: roleName(role),
  note: teamText(`${role}Note`),
}));
