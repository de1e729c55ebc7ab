import { ADMIN_ROLES } from '../admin-permissions.ts';
import { adminName, mailedToken, newEmailSchema, newPassword } from '../schemas/account.ts';
import { factorReason } from './factors.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, forAdmins, forEverybody, operationsOf, toAdmins } from './operation.ts';
import { suppression } from './email.ts';

export const adminRole = rule.oneOf(ADMIN_ROLES).messages(rule.oneMessage('Please choose a role'));

/** `version` grows with each change of the role and its permissions. A null role: suspended or removed. */
export const adminAccess = rule.view({ role: rule.nullable(rule.oneOf(ADMIN_ROLES)), version: rule.count });
export type AdminAccess = rule.TypeOf<typeof adminAccess>;

const newInvitation = { email: newEmailSchema, role: adminRole };
export type NewInvitation = rule.TypeOf<typeof newInvitation>;
const openInvitation = { data: rule.view({ email: rule.text, role: adminRole }) };
const invitationCheck = { input: { token: mailedToken }, reply: openInvitation };

/** An invited admin's input. A page that was opened before the name existed does not send it. */
const acceptance = { token: mailedToken, password: newPassword, name: rule.mayLack(adminName) };
const accepted = { data: rule.view({ email: rule.text }) };
const invitationAcceptance = { status: 201, input: acceptance, reply: accepted };

/** An admin's permissions after a change. Sessions older than `generation` end. */
const accessChange = { data: rule.view({ access: adminAccess, generation: rule.count }) };
export type AccessChange = rule.TypeOf<typeof accessChange>;

/** An admin as the team page shows them. Times are ISO 8601. */
const teamMember = rule.view({
  id: rule.uuid,
  email: rule.text,
  /** Null until the admin enters one. */
  name: rule.nullable(rule.text),
  role: adminRole,
  factor: rule.nullable(rule.oneOf(['passkey', 'totp'])),
  /** Null if the history has no log-in. */
  lastLogInAt: rule.nullable(rule.time),
  isSuspended: rule.flag,
});
export type TeamMember = rule.TypeOf<typeof teamMember>;

const invitationView = rule.view({
  id: rule.uuid,
  email: rule.text,
  role: adminRole,
  /** Null for an admin whose account no longer exists. */
  invitedBy: rule.nullable(rule.text),
  expiresAt: rule.time,
  isExpired: rule.flag,
});
export type AdminInvitation = rule.TypeOf<typeof invitationView>;

/** `ownId`: the caller. `suppressions`: the suppressed emails; empty if worker does not respond. */
const team = { ownId: rule.uuid, members: rule.listOf(teamMember), invitations: rule.listOf(invitationView) };
export type Team = rule.TypeOf<typeof team>;
const reachableTeam = rule.view({ ...team, suppressions: rule.listOf(suppression) });
export type ReachableTeam = rule.TypeOf<typeof reachableTeam>;

const withReason = { id: rule.uuid, reason: factorReason };
const withRole = { id: rule.uuid, role: adminRole };
const byAnonymous = operationsOf('identity', { roles: ['anonymous'] });
const byAdmin = operationsOf('identity', { roles: ['admin'] });
const managed = { permission: 'team.manage', recent: true } as const;
const done = { reply: rule.noData };

/** identity's operations about admins. Except for the acceptance of an invitation, only an owner may call them. */
export const teamEndpoints = {
  getTeam: byAdmin('GET /team', { reply: { data: rule.view(team) } }),
  inviteAdmin: byAdmin('POST /team/invitations', {
    status: 201,
    input: newInvitation,
    reply: { data: invitationView },
    public: { inviteAdmin: toAdmins('/api/admin/team/invitations', managed) },
  }),
  /** Sends the email again; the link works for another INVITATION_DAYS. */
  resendInvitation: byAdmin('POST /team/invitations/:id/resend', {
    reply: { data: invitationView },
    public: { resendInvitation: toAdmins('/api/admin/team/invitations/:id/resend', managed) },
  }),
  cancelInvitation: byAdmin('DELETE /team/invitations/:id', {
    reply: rule.noData,
    public: { cancelInvitation: toAdmins('/api/admin/team/invitations/:id', managed) },
  }),
  changeAdminRole: byAdmin('PUT /team/:id/role', { input: withRole, reply: accessChange }),
  suspendAdmin: byAdmin('POST /team/:id/suspend', { input: withReason, reply: accessChange }),
  restoreAdmin: byAdmin('POST /team/:id/restore', { reply: accessChange }),
  removeAdmin: byAdmin('DELETE /team/:id', { reply: accessChange }),
  endAdminSessions: byAdmin('POST /team/:id/end-sessions', { reply: { generation: rule.count } }),
  removeAdminFactors: byAdmin('POST /team/:id/factors/remove', {
    input: withReason,
    reply: rule.noData,
    public: { removeAdminFactors: toAdmins('/api/admin/team/:id/factors/remove', managed) },
  }),
  /** The open invitation of a token. Throws `identity.link_ended`. */
  checkInvitation: byAnonymous('POST /team/invitations/check', invitationCheck),
  acceptInvitation: byAnonymous('POST /team/invitations/accept', invitationAcceptance),
} as const;

export const publicTeamEndpoints = {
  ...addressesOf(teamEndpoints),
  team: forAdmins('GET /api/admin/team', { permission: 'team.manage', reply: { data: reachableTeam } }),
  changeAdminRole: forAdmins('PUT /api/admin/team/:id/role', { ...managed, ...done, input: withRole }),
  suspendAdmin: forAdmins('POST /api/admin/team/:id/suspend', { ...managed, ...done, input: withReason }),
  restoreAdmin: forAdmins('POST /api/admin/team/:id/restore', { ...managed, ...done }),
  removeAdmin: forAdmins('DELETE /api/admin/team/:id', { ...managed, ...done }),
  endAdminSessions: forAdmins('POST /api/admin/team/:id/end-sessions', { ...managed, ...done }),
  /** The token is in the body because URLs are logged. */
  checkInvitation: forEverybody('POST /api/invitations/check', invitationCheck),
  /** Begins no session: the new admin logs in with the password. */
  acceptInvitation: forEverybody('POST /api/invitations/accept', invitationAcceptance),
} as const;
