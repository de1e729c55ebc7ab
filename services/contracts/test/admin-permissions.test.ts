import { expect, it } from 'vitest';
import { type AdminRole, may, PERMISSIONS } from '../src/admin-permissions.ts';

const permissionsOf = (role: AdminRole) =>
  PERMISSIONS.filter((permission) => may(role, permission)).toSorted();

it('D6 an owner may do everything, and an admin without a role nothing', () => {
  expect(permissionsOf('owner')).toEqual(PERMISSIONS.toSorted());
  expect(PERMISSIONS.filter((permission) => may(null, permission))).toEqual([]);
});

it('D6 support cares for users, and has neither refunds, exports nor revenue', () => {
  expect(permissionsOf('support')).toEqual(
    [
      'audit.read',
      'credits.adjust',
      'factors.remove',
      'impersonate',
      'plan.grant',
      'plan.revoke',
      'sessions.end',
      'system.read',
      'users.create',
      'users.edit',
      'users.read',
    ].toSorted(),
  );
});

it('D6 finance has refunds, exports and revenue, and changes no user', () => {
  expect(permissionsOf('finance')).toEqual(
    [
      'alerts.resolve',
      'payments.refund',
      'revenue.read',
      'system.read',
      'users.export',
      'users.read',
    ].toSorted(),
  );
});

it('D6 a role that only reads has reading permissions alone', () => {
  expect(permissionsOf('read_only')).toEqual(['audit.read', 'revenue.read', 'system.read', 'users.read']);
});
