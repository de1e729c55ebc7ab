import { migration } from '@shortlist/kit/data/migration';

/** Invitations to the panel that were neither accepted nor withdrawn. */
export const adminInvitations = migration('AdminInvitationsIdentity1795400009000', [
  `CREATE TABLE IF NOT EXISTS admin_invitations (
    id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    role ENUM('owner', 'support', 'finance', 'read_only') NOT NULL,
    invited_by CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    UNIQUE KEY admin_invitations_email (email),
    KEY admin_invitations_expiry (expires_at)
  ) ENGINE=InnoDB`,
]);
