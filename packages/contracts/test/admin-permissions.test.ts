import { expect, it } from 'vitest';
import { ADMIN_ROLES, type AdminRole, may, type Permission, PERMISSIONS } from '../src/admin-permissions.ts';

const permissionsOf = (role: AdminRole) =>
  PERMISSIONS.filter((permission) => may(role, permission)).toSorted();

it('D6 an owner may do everything, and an admin without a role nothing', () => {
  expect(permissionsOf('owner')).toEqual(PERMISSIONS.toSorted());
  expect(PERMISSIONS.filter((permission) => may(null, permission))).toEqual([]);
});

const ALLOWED: Record<Exclude<AdminRole, 'owner'>, readonly Permission[]> = {
  // Cares for users, and has neither refunds, exports nor revenue.
  support: [
    'audit.read',
    'credits.adjust',
    'factors.remove',
    'impersonate',
    'notes.write',
    'notices.write',
    'plan.grant',
    'plan.revoke',
    'sessions.end',
    'system.read',
    'users.create',
    'users.edit',
    'users.read',
  ],
  // Has refunds, exports and revenue, and changes no user.
  finance: [
    'alerts.resolve',
    'notes.write',
    'payments.refund',
    'revenue.read',
    'system.read',
    'users.export',
    'users.read',
  ],
  // Has reading permissions alone.
  read_only: ['audit.read', 'revenue.read', 'system.read', 'users.read'],
};

it.each(ADMIN_ROLES.filter((role) => role !== 'owner'))(
  'D6 %s may do what its tasks need, and no more',
  (role) => {
    expect(permissionsOf(role)).toEqual(ALLOWED[role].toSorted());
  },
);
