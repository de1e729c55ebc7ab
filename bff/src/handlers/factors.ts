import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import {
  passkeyName,
  passkeyRegistration,
  REGISTRATION_BYTES,
  totpCode,
} from '@shortlist/contracts/schemas/factors';
import { userId } from '@shortlist/contracts/schemas/text';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { type Exchange, handled, type PublicEndpoint } from '../http/endpoint.ts';
import type { createProxied } from '../http/proxied.ts';
import type { Proofs } from '../proofs/proofs.ts';
import { mustSetUpFactor } from '../proofs/second-step.rules.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { SERVICE_CALLER, type Services } from '../upstream/services.ts';
import { endOwnSessions } from './devices.ts';

type Parts = {
  services: Services;
  sessions: Sessions;
  proofs: Proofs;
  brand: string;
  origin: string;
};

const roles = ['user', 'admin'] as const;
const nothing = Joi.object<Record<never, never>>({});
/** An admin without a factor sets one up here; each change requires a recent proof. */
const guarded = { roles, permission: 'own_account', recent: true, beforeSecondFactor: true } as const;

const opened = ({ session, token }: Exchange): { session: Session; token: string } => {
  if (session === null || token === null) throw createError('session.missing');
  return { session, token };
};

const purposeOf = (session: Session): string => `registration ${session.userId}`;

/** An admin who has removed the last factor continues with this session alone, and sets up another one first. */
const restrictAfterRemoval = async (parts: Parts, exchange: Exchange): Promise<void> => {
  const { services, sessions, proofs } = parts;
  const { session, token } = opened(exchange);
  const { data } = await services.identity(
    factorEndpoints.listCredentials,
    { userId: session.userId },
    { caller: SERVICE_CALLER },
  );
  if (!mustSetUpFactor({ role: session.role, factors: data.factors }, proofs.adminTwoStep)) return;
  await sessions.restrict(token, true);
  await endOwnSessions(parts, { caller: exchange.caller, session, keptId: session.id });
};

/**
 * The admin's other sessions end with the restriction: they began with the password alone, and would add a factor of their own
 * without the first one.
 */
const liftRestriction = async (parts: Parts, exchange: Exchange): Promise<void> => {
  const { session, token } = opened(exchange);
  if (!session.needsSecondFactor) return;
  await endOwnSessions(parts, { caller: exchange.caller, session, keptId: session.id });
  await parts.sessions.restrict(token, false);
};

const totpEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { services, proofs } = parts;
  return [
    handled(publicEndpoints.confirmTotp, {
      ...guarded,
      input: Joi.object<{ code: string }, true>({ code: totpCode }),
      handle: async ({ input, caller, ...exchange }) => {
        const { session } = opened({ ...exchange, caller });
        const { userId: id, id: client } = session;
        const attempt = { userId: id, kind: 'code', client, address: exchange.address } as const;
        const reply = await proofs.proofLimits.count(attempt, () =>
          services.identity(factorEndpoints.confirmTotp, { userId: id, ...input }, { caller }),
        );
        await liftRestriction(parts, { ...exchange, caller });
        return reply;
      },
    }),

    handled(publicEndpoints.removeTotp, {
      ...guarded,
      input: nothing,
      handle: async (exchange) => {
        const { session } = opened(exchange);
        const input = { userId: session.userId };
        const reply = await services.identity(factorEndpoints.removeTotp, input, { caller: exchange.caller });
        await restrictAfterRemoval(parts, exchange);
        return reply;
      },
    }),
  ];
};

const passkeyEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { services, proofs, brand, origin } = parts;
  const { challenges } = proofs;
  return [
    handled(publicEndpoints.passkeyOptions, {
      ...guarded,
      input: nothing,
      handle: async (exchange) => {
        const { session } = opened(exchange);
        const challenge = await challenges.issue(purposeOf(session));
        const input = { userId: session.userId, challenge, origin, brand };
        return services.identity(factorEndpoints.passkeyOptions, input, { caller: exchange.caller });
      },
    }),

    handled(publicEndpoints.addPasskey, {
      ...guarded,
      bodyBytes: REGISTRATION_BYTES,
      input: Joi.object({ passkey: passkeyRegistration, name: passkeyName }),
      handle: async ({ input: { passkey: answer, name }, caller, ...exchange }) => {
        const { session } = opened({ ...exchange, caller });
        const passkey = await challenges.redeem(purposeOf(session), answer);
        const input = { userId: session.userId, passkey, name };
        const reply = await services.identity(factorEndpoints.addPasskey, input, { caller });
        await liftRestriction(parts, { ...exchange, caller });
        return reply;
      },
    }),

    handled(publicEndpoints.removePasskey, {
      ...guarded,
      input: Joi.object<{ passkeyId: string }, true>({ passkeyId: userId }),
      handle: async ({ input: { passkeyId }, ...exchange }) => {
        const { session } = opened(exchange);
        const input = { userId: session.userId, passkeyId };
        const reply = await services.identity(factorEndpoints.removePasskey, input, {
          caller: exchange.caller,
        });
        await restrictAfterRemoval(parts, exchange);
        return reply;
      },
    }),
  ];
};

export const ownFactorEndpoints = (parts: Parts): PublicEndpoint[] => [
  ...totpEndpoints(parts),
  ...passkeyEndpoints(parts),
];

/** The endpoints about factors that identity responds to by itself. */
export const proxiedFactorEndpoints = (proxied: ReturnType<typeof createProxied>): PublicEndpoint[] => {
  const to = 'identity';
  const ofAdmins = { to, roles: ['admin'] } as const;
  return [
    proxied(publicEndpoints.factors, {
      ...{
        to,
        roles,
        permission: 'own_account',
        beforeSecondFactor: true,
        path: factorEndpoints.getFactors.path,
      },
    }),
    proxied(publicEndpoints.startTotp, { to, ...guarded, path: factorEndpoints.startTotp.path }),
    proxied(publicEndpoints.renewRecoveryCodes, {
      ...{ to, ...guarded, path: factorEndpoints.renewRecoveryCodes.path },
    }),
    proxied(publicEndpoints.renamePasskey, {
      ...{ to, roles, permission: 'own_account', path: factorEndpoints.renamePasskey.path },
    }),
    proxied(publicEndpoints.userFactors, {
      ...ofAdmins,
      permission: 'users.read',
      path: '/accounts/:id/factors',
    }),
    proxied(publicEndpoints.removeUserFactors, {
      ...{ ...ofAdmins, permission: 'factors.remove', recent: true, path: '/accounts/:id/factors/remove' },
    }),
  ];
};
