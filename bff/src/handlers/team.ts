import { publicTeamEndpoints } from '@shortlist/contracts/api/public-team';
import { type AccessChange, teamEndpoints as identityTeam } from '@shortlist/contracts/api/team';
import { adminRole } from '@shortlist/contracts/schemas/admin';
import { factorReason } from '@shortlist/contracts/schemas/factors';
import { mailedToken, newPassword } from '@shortlist/contracts/schemas/password';
import { userId } from '@shortlist/contracts/schemas/text';
import Joi from 'joi';
import { handled, type PublicEndpoint } from '../http/endpoint.ts';
import type { createProxied } from '../http/proxied.ts';
import type { ResetLimits } from '../limits/mail-limits.ts';
import type { Sessions } from '../session/sessions.ts';
import { ANONYMOUS, HASH_TIMEOUT_MS, type Services } from '../upstream/services.ts';

type Parts = { services: Services; sessions: Sessions; resetLimits: ResetLimits };

const managed = { roles: ['admin'], permission: 'team.manage' } as const;
const changed = { ...managed, recent: true } as const;
const anyCaller = { roles: ['anonymous', 'user', 'admin'], permission: 'own_account' } as const;

const anId = Joi.object<{ id: string }, true>({ id: userId });
const withReason = anId.append<{ id: string; reason: string }>({ reason: factorReason });
const token = Joi.object<{ token: string }, true>({ token: mailedToken });

/** Applies a change to the admin's sessions at once; the event does it again in case this process stops before. */
const apply = async (sessions: Sessions, id: string, { data: { access, generation } }: AccessChange) => {
  await sessions.setAccess(id, access);
  await sessions.endAllBefore(id, generation);
};

const accessEndpoints = ({ services: { identity }, sessions }: Parts): PublicEndpoint[] => [
  handled(publicTeamEndpoints.changeAdminRole, {
    ...changed,
    input: anId.append({ role: adminRole }) as Joi.ObjectSchema<{ id: string; role: 'owner' }>,
    handle: async ({ input, caller }) => {
      await apply(sessions, input.id, await identity(identityTeam.changeAdminRole, input, { caller }));
      return { message: 'changed' };
    },
  }),

  handled(publicTeamEndpoints.suspendAdmin, {
    ...changed,
    input: withReason,
    handle: async ({ input, caller }) => {
      await apply(sessions, input.id, await identity(identityTeam.suspendAdmin, input, { caller }));
      return { message: 'suspended' };
    },
  }),

  handled(publicTeamEndpoints.restoreAdmin, {
    ...changed,
    input: anId,
    handle: async ({ input, caller }) => {
      await apply(sessions, input.id, await identity(identityTeam.restoreAdmin, input, { caller }));
      return { message: 'restored' };
    },
  }),

  handled(publicTeamEndpoints.removeAdmin, {
    ...changed,
    input: anId,
    handle: async ({ input, caller }) => {
      await apply(sessions, input.id, await identity(identityTeam.removeAdmin, input, { caller }));
      return { message: 'removed' };
    },
  }),

  handled(publicTeamEndpoints.endAdminSessions, {
    ...changed,
    input: anId,
    handle: async ({ input, caller }) => {
      const { generation } = await identity(identityTeam.endAdminSessions, input, { caller });
      await sessions.endAllBefore(input.id, generation);
      return { message: 'ended' };
    },
  }),
];

/** An invitation is accepted without a session, and begins none. */
const acceptanceEndpoints = ({ services: { identity }, resetLimits }: Parts): PublicEndpoint[] => [
  handled(publicTeamEndpoints.checkInvitation, {
    ...anyCaller,
    input: token,
    handle: async ({ input, address }) => {
      await resetLimits.consumeUse(address);
      return identity(identityTeam.checkInvitation, input, { caller: ANONYMOUS });
    },
  }),

  handled(publicTeamEndpoints.acceptInvitation, {
    ...anyCaller,
    input: token.append<{ token: string; password: string }>({ password: newPassword }),
    status: 201,
    handle: async ({ input, address }) => {
      await resetLimits.consumeUse(address);
      const caller = { ...ANONYMOUS, address }; // for the audit log
      return identity(identityTeam.acceptInvitation, input, { caller, timeoutMs: HASH_TIMEOUT_MS });
    },
  }),
];

/** The endpoints about admins. identity checks again, in the transaction, that the caller is an owner. */
export const teamEndpoints = (parts: Parts): PublicEndpoint[] => [
  ...accessEndpoints(parts),
  ...acceptanceEndpoints(parts),
];

/** The endpoints about admins that identity responds to by itself. */
export const proxiedTeamEndpoints = (proxied: ReturnType<typeof createProxied>): PublicEndpoint[] => {
  const to = 'identity';
  const invitation = '/team/invitations/:id';
  return [
    proxied(publicTeamEndpoints.team, { to, ...managed, path: identityTeam.getTeam.path }),
    proxied(publicTeamEndpoints.inviteAdmin, { to, ...changed, path: identityTeam.inviteAdmin.path }),
    proxied(publicTeamEndpoints.resendInvitation, { to, ...changed, path: `${invitation}/resend` }),
    proxied(publicTeamEndpoints.cancelInvitation, { to, ...changed, path: invitation }),
    proxied(publicTeamEndpoints.removeAdminFactors, { to, ...changed, path: '/team/:id/factors/remove' }),
  ];
};
