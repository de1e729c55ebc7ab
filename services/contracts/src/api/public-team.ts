import Joi from 'joi';
import type { AdminRole } from '../admin-permissions.ts';
import { adminRole, type NewInvitation } from '../schemas/admin.ts';
import { factorReason } from '../schemas/factors.ts';
import { mailedToken, newPassword } from '../schemas/password.ts';
import { message, text } from '../schemas/replies.ts';
import { uuid } from '../schemas/text.ts';
import { forAdmins, forEverybody } from './public-endpoint.ts';
import { type AdminInvitation, invitationView, type Team, teamView } from './team.ts';

type None = Record<never, never>;
type Message = { message: string };
type OfAdmin<Input = None> = { id: string } & Input;

/** The endpoints about admins, and about the invitation of another one. */
export const publicTeamEndpoints = {
  team: forAdmins<None, { data: Team }>({
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
    reply: { data: invitationView },
  }),
  resendInvitation: forAdmins<OfAdmin, { data: AdminInvitation }>({
    method: 'POST',
    path: '/api/admin/team/invitations/:id/resend',
    permission: 'team.manage',
    recent: true,
    reply: { data: invitationView },
  }),
  cancelInvitation: forAdmins<OfAdmin, Message>({
    method: 'DELETE',
    path: '/api/admin/team/invitations/:id',
    permission: 'team.manage',
    recent: true,
    reply: { message },
  }),
  changeAdminRole: forAdmins<OfAdmin<{ role: AdminRole }>, Message>({
    method: 'PUT',
    path: '/api/admin/team/:id/role',
    permission: 'team.manage',
    recent: true,
    input: { id: uuid, role: adminRole },
    reply: { message },
  }),
  suspendAdmin: forAdmins<OfAdmin<{ reason: string }>, Message>({
    method: 'POST',
    path: '/api/admin/team/:id/suspend',
    permission: 'team.manage',
    recent: true,
    input: { id: uuid, reason: factorReason },
    reply: { message },
  }),
  restoreAdmin: forAdmins<OfAdmin, Message>({
    method: 'POST',
    path: '/api/admin/team/:id/restore',
    permission: 'team.manage',
    recent: true,
    input: { id: uuid },
    reply: { message },
  }),
  removeAdmin: forAdmins<OfAdmin, Message>({
    method: 'DELETE',
    path: '/api/admin/team/:id',
    permission: 'team.manage',
    recent: true,
    input: { id: uuid },
    reply: { message },
  }),
  endAdminSessions: forAdmins<OfAdmin, Message>({
    method: 'POST',
    path: '/api/admin/team/:id/end-sessions',
    permission: 'team.manage',
    recent: true,
    input: { id: uuid },
    reply: { message },
  }),
  removeAdminFactors: forAdmins<OfAdmin<{ reason: string }>, Message>({
    method: 'POST',
    path: '/api/admin/team/:id/factors/remove',
    permission: 'team.manage',
    recent: true,
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
  acceptInvitation: forEverybody<{ token: string; password: string }, { data: { email: string } }>({
    method: 'POST',
    path: '/api/invitations/accept',
    status: 201,
    input: { token: mailedToken, password: newPassword },
    reply: { data: Joi.object({ email: text }).required() },
  }),
} as const;
