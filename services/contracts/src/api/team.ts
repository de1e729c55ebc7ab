import type { NewInvitation } from '../schemas/admin.ts';
import type { AdminAccess, AdminRole } from '../admin-permissions.ts';
import { defineEndpoint } from './endpoint.ts';

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

type None = Record<never, never>;
type OfAdmin<Input = None> = { id: string } & Input;

/** identity's endpoints about admins. Except for the acceptance of an invitation, only an owner may call them. */
export const teamEndpoints = {
  getTeam: defineEndpoint<None, { data: Team }>('GET', '/team'),
  inviteAdmin: defineEndpoint<NewInvitation, { data: AdminInvitation }>('POST', '/team/invitations'),
  /** Sends the mail again; the link works for another INVITATION_DAYS. */
  resendInvitation: defineEndpoint<OfAdmin, { data: AdminInvitation }>(
    'POST',
    '/team/invitations/:id/resend',
  ),
  cancelInvitation: defineEndpoint<OfAdmin, { message: string }>('DELETE', '/team/invitations/:id'),
  changeAdminRole: defineEndpoint<OfAdmin<{ role: AdminRole }>, AccessChange>('PUT', '/team/:id/role'),
  suspendAdmin: defineEndpoint<OfAdmin<{ reason: string }>, AccessChange>('POST', '/team/:id/suspend'),
  restoreAdmin: defineEndpoint<OfAdmin, AccessChange>('POST', '/team/:id/restore'),
  removeAdmin: defineEndpoint<OfAdmin, AccessChange>('DELETE', '/team/:id'),
  endAdminSessions: defineEndpoint<OfAdmin, { generation: number }>('POST', '/team/:id/end-sessions'),
  /** For an admin who has lost every factor. */
  removeAdminFactors: defineEndpoint<OfAdmin<{ reason: string }>, { message: string }>(
    'POST',
    '/team/:id/factors/remove',
  ),
  /** The open invitation of a token. Throws `identity.link_ended`. */
  checkInvitation: defineEndpoint<{ token: string }, { data: NewInvitation }>(
    'POST',
    '/team/invitations/check',
  ),
  acceptInvitation: defineEndpoint<{ token: string; password: string }, { data: { email: string } }>(
    'POST',
    '/team/invitations/accept',
  ),
} as const;
