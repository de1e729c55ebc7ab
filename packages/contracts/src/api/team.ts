import Joi from 'joi';
import { ADMIN_ROLES, type AdminAccess, type AdminRole } from '../admin-permissions.ts';
import { adminName, newEmailSchema, mailedToken, newPassword } from '../schemas/account.ts';
import { factorReason } from '../schemas/factors.ts';
import {
  flag,
  listOf,
  type Message,
  message,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { oneMessage } from '../schemas/validation.ts';
import { forAdmins, forEverybody } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';
import { suppression } from './suppressions.ts';

export const adminRole = oneOf(ADMIN_ROLES).messages(oneMessage('Please choose a role'));

export type NewInvitation = { email: string; role: AdminRole };
const newInvitation = Joi.object<NewInvitation, true>({ email: newEmailSchema, role: adminRole });

/** What an invited admin enters. A page that was opened before the name existed does not send it. */
type Acceptance = { token: string; password: string; name?: string };
const acceptance = { token: mailedToken, password: newPassword, name: adminName.optional() };

/** What an admin may do after a change. Sessions older than `generation` end. */
export type AccessChange = { data: { access: AdminAccess; generation: number } };

/** An admin as the team page shows them. Times are ISO 8601. */
const teamMember = view({
  id: uuid,
  email: text,
  /** Null until the admin has entered one. */
  name: nullable(text),
  role: adminRole,
  /** The second factor; null without one. */
  factor: nullable(oneOf(['passkey', 'totp'])),
  /** Null without a log-in in the history. */
  lastLogInAt: nullable(time),
  isSuspended: flag,
});
export type TeamMember = TypeOf<typeof teamMember>;

/** An invitation that was neither accepted nor withdrawn. */
const invitationView = view({
  id: uuid,
  email: text,
  role: adminRole,
  /** Null for an admin whose account no longer exists. */
  invitedBy: nullable(text),
  expiresAt: time,
  isExpired: flag,
});
export type AdminInvitation = TypeOf<typeof invitationView>;

/** `ownId`: the admin who reads it. `suppressions`: of the addresses to which nothing is sent; empty while worker does not respond. */
const teamView = view({
  ownId: uuid,
  members: listOf(teamMember),
  invitations: listOf(invitationView),
  suppressions: listOf(suppression),
});
export type ReachableTeam = TypeOf<typeof teamView>;
export type Team = Omit<ReachableTeam, 'suppressions'>;

type OfAdmin<Input = None> = { id: string } & Input;

/** The rules of the inputs, the same at identity and in the public API. */
const ofAdmin = { id: uuid };
const withReason = { id: uuid, reason: factorReason };
const withRole = { id: uuid, role: adminRole };

/** identity's endpoints about admins. Except for the acceptance of an invitation, only an owner may call them. */
export const teamEndpoints = {
  getTeam: serviceEndpoint<None, { data: Team }>({ method: 'GET', path: '/team', roles: ['admin'] }),
  inviteAdmin: serviceEndpoint<NewInvitation, { data: AdminInvitation }>({
    method: 'POST',
    path: '/team/invitations',
    roles: ['admin'],
    status: 201,
    input: newInvitation,
  }),
  /** Sends the mail again; the link works for another INVITATION_DAYS. */
  resendInvitation: serviceEndpoint<OfAdmin, { data: AdminInvitation }>({
    method: 'POST',
    path: '/team/invitations/:id/resend',
    roles: ['admin'],
    input: ofAdmin,
  }),
  cancelInvitation: serviceEndpoint<OfAdmin, Message>({
    method: 'DELETE',
    path: '/team/invitations/:id',
    roles: ['admin'],
    input: ofAdmin,
  }),
  changeAdminRole: serviceEndpoint<OfAdmin<{ role: AdminRole }>, AccessChange>({
    method: 'PUT',
    path: '/team/:id/role',
    roles: ['admin'],
    input: withRole,
  }),
  suspendAdmin: serviceEndpoint<OfAdmin<{ reason: string }>, AccessChange>({
    method: 'POST',
    path: '/team/:id/suspend',
    roles: ['admin'],
    input: withReason,
  }),
  restoreAdmin: serviceEndpoint<OfAdmin, AccessChange>({
    method: 'POST',
    path: '/team/:id/restore',
    roles: ['admin'],
    input: ofAdmin,
  }),
  removeAdmin: serviceEndpoint<OfAdmin, AccessChange>({
    method: 'DELETE',
    path: '/team/:id',
    roles: ['admin'],
    input: ofAdmin,
  }),
  endAdminSessions: serviceEndpoint<OfAdmin, { generation: number }>({
    method: 'POST',
    path: '/team/:id/end-sessions',
    roles: ['admin'],
    input: ofAdmin,
  }),
  /** For an admin who has lost every factor. */
  removeAdminFactors: serviceEndpoint<OfAdmin<{ reason: string }>, Message>({
    method: 'POST',
    path: '/team/:id/factors/remove',
    roles: ['admin'],
    input: withReason,
  }),
  /** The open invitation of a token. Throws `identity.link_ended`. */
  checkInvitation: serviceEndpoint<{ token: string }, { data: NewInvitation }>({
    method: 'POST',
    path: '/team/invitations/check',
    roles: ['anonymous'],
    input: { token: mailedToken },
  }),
  acceptInvitation: serviceEndpoint<Acceptance, { data: { email: string } }>({
    method: 'POST',
    path: '/team/invitations/accept',
    roles: ['anonymous'],
    status: 201,
    input: acceptance,
  }),
} as const;

/** The endpoints about admins, and about the invitation of another one. */
export const publicTeamEndpoints = {
  team: forAdmins<None, { data: ReachableTeam }>({
    method: 'GET',
    path: '/api/admin/team',
    permission: 'team.manage',
    reply: { data: teamView },
  }),
  inviteAdmin: forAdmins<NewInvitation, { data: AdminInvitation }>({
    method: 'POST',
    path: '/api/admin/team/invitations',
    permission: 'team.manage',
    recent: true,
    input: newInvitation,
    reply: { data: invitationView },
  }),
  resendInvitation: forAdmins<OfAdmin, { data: AdminInvitation }>({
    method: 'POST',
    path: '/api/admin/team/invitations/:id/resend',
    permission: 'team.manage',
    recent: true,
    input: ofAdmin,
    reply: { data: invitationView },
  }),
  cancelInvitation: forAdmins<OfAdmin, Message>({
    method: 'DELETE',
    path: '/api/admin/team/invitations/:id',
    permission: 'team.manage',
    recent: true,
    input: ofAdmin,
    reply: { message },
  }),
  changeAdminRole: forAdmins<OfAdmin<{ role: AdminRole }>, Message>({
    method: 'PUT',
    path: '/api/admin/team/:id/role',
    permission: 'team.manage',
    recent: true,
    input: withRole,
    reply: { message },
  }),
  suspendAdmin: forAdmins<OfAdmin<{ reason: string }>, Message>({
    method: 'POST',
    path: '/api/admin/team/:id/suspend',
    permission: 'team.manage',
    recent: true,
    input: withReason,
    reply: { message },
  }),
  restoreAdmin: forAdmins<OfAdmin, Message>({
    method: 'POST',
    path: '/api/admin/team/:id/restore',
    permission: 'team.manage',
    recent: true,
    input: ofAdmin,
    reply: { message },
  }),
  removeAdmin: forAdmins<OfAdmin, Message>({
    method: 'DELETE',
    path: '/api/admin/team/:id',
    permission: 'team.manage',
    recent: true,
    input: ofAdmin,
    reply: { message },
  }),
  endAdminSessions: forAdmins<OfAdmin, Message>({
    method: 'POST',
    path: '/api/admin/team/:id/end-sessions',
    permission: 'team.manage',
    recent: true,
    input: ofAdmin,
    reply: { message },
  }),
  removeAdminFactors: forAdmins<OfAdmin<{ reason: string }>, Message>({
    method: 'POST',
    path: '/api/admin/team/:id/factors/remove',
    permission: 'team.manage',
    recent: true,
    input: withReason,
    reply: { message },
  }),
  /** The token is in a body because addresses of requests are logged. */
  checkInvitation: forEverybody<{ token: string }, { data: NewInvitation }>({
    method: 'POST',
    path: '/api/invitations/check',
    input: { token: mailedToken },
    reply: { data: Joi.object({ email: text, role: adminRole }).required() },
  }),
  /** Begins no session: the new admin logs in with the password. */
  acceptInvitation: forEverybody<Acceptance, { data: { email: string } }>({
    method: 'POST',
    path: '/api/invitations/accept',
    status: 201,
    input: acceptance,
    reply: { data: Joi.object({ email: text }).required() },
  }),
} as const;
