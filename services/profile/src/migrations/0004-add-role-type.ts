import { migration } from '@shortlist/kit/migration';

export const addRoleType = migration('AddRoleType1763800002000', [
  // Set by admins alone; empty when nobody did.
  `ALTER TABLE profiles ADD COLUMN IF NOT EXISTS role_type VARCHAR(40)
     CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT ''`,
]);
