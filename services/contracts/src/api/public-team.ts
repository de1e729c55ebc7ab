import type { AdminRole } from '../admin-permissions.ts';
import { defineEndpoint } from './endpoint.ts';
import type { NewInvitation } from '../schemas/admin.ts';
import type { AdminInvitation, Team } from './team.ts';

type None = Record<never, never>;
type Message = { message: string };
type OfAdmin<Input = None> = { id: string } & Input;

/** The endpoints about admins, and about the invitation of another one. */
export const publicTeamEndpoints = {
  team: defineEndpoint<None, { data: Team }>('GET', '/api/admin/team'),
  inviteAdmin: defineEndpoint<NewInvitation, { data: AdminInvitation }>(
    'POST',
    '/api/admin/team/invitations',
  ),
  resendInvitation: defineEndpoint<OfAdmin, { data: AdminInvitation }>(
    'POST',
    '/api/admin/team/invitations/:id/resend',
  ),
  cancelInvitation: defineEndpoint<OfAdmin, Message>('DELETE', '/api/admin/team/invitations/:id'),
  changeAdminRole: defineEndpoint<OfAdmin<{ role: AdminRole }>, Message>('PUT', '/api/admin/team/:id/role'),
  suspendAdmin: defineEndpoint<OfAdmin<{ reason: string }>, Message>('POST', '/api/admin/team/:id/suspend'),
  restoreAdmin: defineEndpoint<OfAdmin, Message>('POST', '/api/admin/team/:id/restore'),
  removeAdmin: defineEndpoint<OfAdmin, Message>('DELETE', '/api/admin/team/:id'),
  endAdminSessions: defineEndpoint<OfAdmin, Message>('POST', '/api/admin/team/:id/end-sessions'),
  removeAdminFactors: defineEndpoint<OfAdmin<{ reason: string }>, Message>(
    'POST',
    '/api/admin/team/:id/factors/remove',
  ),
  /** The token is in a body because addresses of requests are logged. */
  checkInvitation: defineEndpoint<{ token: string }, { data: NewInvitation }>(
    'POST',
    '/api/invitations/check',
  ),
  /** Begins no session: the new admin logs in with the password. */
  acceptInvitation: defineEndpoint<{ token: string; password: string }, { data: { email: string } }>(
    'POST',
    '/api/invitations/accept',
  ),
} as const;
