import { ADMIN_ROLES, type AdminRole } from '@shortlist/contracts/admin-permissions';
import { EntitySchema } from 'typeorm';

export type InvitationRow = {
  id: string;
  email: string;
  role: AdminRole;
  invitedBy: string;
  expiresAt: Date;
};

export const invitationEntity = new EntitySchema<InvitationRow>({
  name: 'admin_invitation',
  tableName: 'admin_invitations',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    role: { type: 'enum', enum: [...ADMIN_ROLES] },
    invitedBy: { name: 'invited_by', type: 'char', length: 36 },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3 },
  },
});
