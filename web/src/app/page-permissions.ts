import type { Permission } from '@shortlist/contracts/admin-permissions';
import { paths } from '../lib/paths.ts';

/** The pages of the panel that not every admin may open. The server refuses their data; this only explains it. */
const PAGES = new Map<string, Permission>([
  [paths.addUser, 'users.create'],
  [paths.adminAudit, 'audit.read'],
  [paths.adminTeam, 'team.manage'],
  ['/admin/view-as', 'impersonate'],
]);

/** The permission that a page requires; null for a page of every admin. */
export const permissionOf = (pathname: string): Permission | null =>
  PAGES.get(pathname.replace(/\/+$/, '')) ?? null;
