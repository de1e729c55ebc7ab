import type { AdminAccess, AdminRole } from '../admin-permissions.ts';
import { adminRole, type NewInvitation, newInvitation } from '../schemas/admin.ts';
import { factorReason } from '../schemas/factors.ts';
import { mailedToken, newPassword } from '../schemas/password.ts';
import { flag, listOf, nullableText, nullableTime, oneOf, text, view } from '../schemas/replies.ts';
import { time, uuid } from '../schemas/text.ts';
import { serviceEndpoint } from './service-endpoint.ts';

/** An admin as the team page shows them. Times are ISO 8601. */
export type TeamMember = {
  id: string;
  email: string;
  role: AdminRole;
  /** The second factor; null without one. */
  factor: 'passkey' | 'totp' | null;
  /** Null without a log-in in the history. */
  lastLogInAt: string | null;
  isSuspended: boolean;
};

/** An invitation that was neither accepted nor withdrawn. */
export type AdminInvitation = {
  id: string;
  email: string;
  role: AdminRole;
  /** Null for an admin whose account no longer exists. */
  invitedBy: string | null;
  expiresAt: string;
  isExpired: boolean;
};

/** `ownId`: the admin who reads it. */
export type Team = { ownId: string; members: TeamMember[]; invitations: AdminInvitation[] };
/** What an admin may do after a change. Sessions older than `generation` end. */
export type AccessChange = { data: { access: AdminAccess; generation: number } };

const teamMember = view<TeamMember>({
  id: uuid,
  email: text,
  role: adminRole,
  factor: oneOf(['passkey', 'totp']).allow(null),
  lastLogInAt: nullableTime,
  isSuspended: flag,
});
export const invitationView = view<AdminInvitation>({
  id: uuid,
  email: text,
  role: adminRole,
  invitedBy: nullableText,
  expiresAt: time,
  isExpired: flag,
});
export const teamView = view<Team>({
  ownId: uuid,
  members: listOf(teamMember),
  invitations: listOf(invitationView),
});

type None = Record<never, never>;
type OfAdmin<Input = None> = { id: string } & Input;

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
    input: { id: uuid },
  }),
  cancelInvitation: serviceEndpoint<OfAdmin, { message: string }>({
    method: 'DELETE',
    path: '/team/invitations/:id',
    roles: ['admin'],
    input: { id: uuid },
  }),
  changeAdminRole: serviceEndpoint<OfAdmin<{ role: AdminRole }>, AccessChange>({
    method: 'PUT',
    path: '/team/:id/role',
    roles: ['admin'],
    input: { id: uuid, role: adminRole },
  }),
  suspendAdmin: serviceEndpoint<OfAdmin<{ reason: string }>, AccessChange>({
    method: 'POST',
    path: '/team/:id/suspend',
    roles: ['admin'],
    input: { id: uuid, reason: factorReason },
  }),
  restoreAdmin: serviceEndpoint<OfAdmin, AccessChange>({
    method: 'POST',
    path: '/team/:id/restore',
    roles: ['admin'],
    input: { id: uuid },
  }),
  removeAdmin: serviceEndpoint<OfAdmin, AccessChange>({
    method: 'DELETE',
    path: '/team/:id',
    roles: ['admin'],
    input: { id: uuid },
  }),
  endAdminSessions: serviceEndpoint<OfAdmin, { generation: number }>({
    method: 'POST',
    path: '/team/:id/end-sessions',
    roles: ['admin'],
    input: { id: uuid },
  }),
  /** For an admin who has lost every factor. */
  removeAdminFactors: serviceEndpoint<OfAdmin<{ reason: string }>, { message: string }>({
    method: 'POST',
    path: '/team/:id/factors/remove',
    roles: ['admin'],
    input: { id: uuid, reason: factorReason },
  }),
  /** The open invitation of a token. Throws `identity.link_ended`. */
  checkInvitation: serviceEndpoint<{ token: string }, { data: NewInvitation }>({
    method: 'POST',
    path: '/team/invitations/check',
    roles: ['anonymous'],
    input: { token: mailedToken },
  }),
  acceptInvitation: serviceEndpoint<{ token: string; password: string }, { data: { email: string } }>({
    method: 'POST',
    path: '/team/invitations/accept',
    roles: ['anonymous'],
    status: 201,
    input: { token: mailedToken, password: newPassword },
  }),
} as const;
