// What each role of an admin may do. bff checks every request of an admin against this table, the panel hides what a role may not
// do, and the authorisation tests are generated from it.

import { messages } from './messages.ts';

export const ADMIN_ROLES = ['owner', 'support', 'finance', 'read_only'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

export const adminRoleText = messages({
  owner: 'Owner',
  support: 'Support',
  finance: 'Finance',
  read_only: 'Read-only',
});

// Listed by name, so that a new role has no permission until it is added.
const anyRole = ['owner', 'support', 'finance', 'read_only'] as const;
const owner = ['owner'] as const;
const support = ['owner', 'support'] as const;
const finance = ['owner', 'finance'] as const;

const ROLES_OF = {
  'users.read': anyRole,
  'users.create': support,
  'users.edit': support,
  'users.delete': owner,
  'users.export': finance,
  'notes.write': ['owner', 'support', 'finance'],
  'notices.write': support,
  'sessions.end': support,
  'factors.remove': support,
  impersonate: support,
  'plan.grant': support,
  'plan.revoke': support,
  'credits.adjust': support,
  'payments.refund': finance,
  'revenue.read': ['owner', 'finance', 'read_only'],
  'audit.read': ['owner', 'support', 'read_only'],
  'audit.export': owner,
  'system.read': anyRole,
  'system.manage': owner,
  'alerts.resolve': finance,
  'team.manage': owner,
  'tools.manage': owner,
} as const satisfies Record<string, readonly AdminRole[]>;

export type Permission = keyof typeof ROLES_OF;

export const PERMISSIONS = Object.keys(ROLES_OF) as Permission[];

/** Whether a role has a permission. Without a role, an admin has none. */
export const may = (role: AdminRole | null, permission: Permission): boolean =>
  role !== null && (ROLES_OF[permission] as readonly AdminRole[]).includes(role);
