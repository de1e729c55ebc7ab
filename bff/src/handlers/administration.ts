import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import {
  type AccessChange,
  publicTeamEndpoints,
  teamEndpoints as identityTeam,
} from '@shortlist/contracts/api/team';
import { publicConnectedAppEndpoints, toolEndpoints } from '@shortlist/contracts/api/connected-apps';
import type { KeyStore } from '../api-keys/key-store.ts';
import { composed, type Route } from '../http/endpoint.ts';
import type { Limits } from '../limits/limits.ts';
import type { Sessions } from '../session/sessions.ts';
import { ANONYMOUS, HASH_TIMEOUT_MS, type Services } from '../services.ts';

type Parts = { services: Services; sessions: Sessions; limits: Limits };

/** Applies a change to the admin's sessions at once; the event does it again in case this process stops before. */
const apply = async (sessions: Sessions, id: string, { data: { access, generation } }: AccessChange) => {
  await sessions.setAccess(id, access);
  await sessions.endAllBefore(id, generation);
};

const accessEndpoints = ({ services: { identity }, sessions }: Parts): Route[] => [
  composed(publicTeamEndpoints.changeAdminRole, async ({ input, caller }) => {
    await apply(sessions, input.id, await identity(identityTeam.changeAdminRole, input, { caller }));
    return { message: 'changed' };
  }),

  composed(publicTeamEndpoints.suspendAdmin, async ({ input, caller }) => {
    await apply(sessions, input.id, await identity(identityTeam.suspendAdmin, input, { caller }));
    return { message: 'suspended' };
  }),

  composed(publicTeamEndpoints.restoreAdmin, async ({ input, caller }) => {
    await apply(sessions, input.id, await identity(identityTeam.restoreAdmin, input, { caller }));
    return { message: 'restored' };
  }),

  composed(publicTeamEndpoints.removeAdmin, async ({ input, caller }) => {
    await apply(sessions, input.id, await identity(identityTeam.removeAdmin, input, { caller }));
    return { message: 'removed' };
  }),

  composed(publicTeamEndpoints.endAdminSessions, async ({ input, caller }) => {
    const { generation } = await identity(identityTeam.endAdminSessions, input, { caller });
    await sessions.endAllBefore(input.id, generation);
    return { message: 'ended' };
  }),
];

/** An invitation is accepted without a session, and begins none. */
const acceptanceEndpoints = ({ services: { identity }, limits }: Parts): Route[] => [
  composed(publicTeamEndpoints.checkInvitation, async ({ input, address }) => {
    await limits.reset.consumeUse(address);
    return identity(identityTeam.checkInvitation, input, { caller: ANONYMOUS });
  }),

  composed(publicTeamEndpoints.acceptInvitation, async ({ input, address }) => {
    await limits.reset.consumeUse(address);
    const caller = { ...ANONYMOUS, address }; // for the audit log
    return identity(identityTeam.acceptInvitation, input, { caller, timeoutMs: HASH_TIMEOUT_MS });
  }),
];

/** The endpoints about admins. identity checks again, in the transaction, that the caller is an owner. */
export const adminTeamEndpoints = (parts: Parts): Route[] => [
  ...accessEndpoints(parts),
  ...acceptanceEndpoints(parts),
];

/** The version of the product, and what needs an operator: the last checks of the set-up at Stripe, and the alerts. */
export const systemEndpoint = ({ billing }: Services, version: string): Route =>
  composed(publicEndpoints.system, async ({ caller }) => {
    const [setup, alerts] = await Promise.all([
      billing(billingEndpoints.getStripeSetup, {}, { caller }),
      billing(billingEndpoints.listAlerts, {}, { caller }),
    ]);
    return { data: { version, stripe: setup.data, alerts: alerts.data } };
  });

/** Disables an app at this and every other process at once; the event does it again in case this one stops before. */
export const disableToolEndpoint = ({ identity }: Services, keyStore: KeyStore): Route =>
  composed(publicConnectedAppEndpoints.disableTool, async ({ input, caller }) => {
    const { data } = await identity(toolEndpoints.disableTool, input, { caller });
    await keyStore.disableTool(input.toolId, data.generation);
    return { message: 'disabled' };
  });
