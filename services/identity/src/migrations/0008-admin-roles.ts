import { migration } from '@shortlist/kit/data/migration';

/**
 * The role of each admin; the admins that exist are owners. `admin_version` grows with each change of what an admin may do, so that
 * a late change does not overwrite a later one. The key keeps a lock on the owners from locking the rows of users.
 */
export const adminRoles = migration('AdminRolesIdentity1795400007000', [
  {
    unlessColumn: ['accounts', 'admin_role'],
    sql: `ALTER TABLE accounts
      ADD COLUMN admin_role ENUM('owner', 'support', 'finance', 'read_only') NULL,
      ADD KEY accounts_admin_role (admin_role)`,
  },
  {
    unlessColumn: ['accounts', 'admin_version'],
    sql: 'ALTER TABLE accounts ADD COLUMN admin_version INT UNSIGNED NOT NULL DEFAULT 0',
  },
  {
    unlessColumn: ['accounts', 'suspended_at'],
    sql: 'ALTER TABLE accounts ADD COLUMN suspended_at DATETIME(3) NULL',
  },
  "UPDATE accounts SET admin_role = 'owner' WHERE role = 'admin' AND admin_role IS NULL",
]);
