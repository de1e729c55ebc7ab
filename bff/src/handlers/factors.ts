import { factorEndpoints } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { asService } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import { composed, type Route, type SignedIn } from '../http/endpoint.ts';
import type { Proofs } from '../proofs/proofs.ts';
import type { KeyStore } from '../api-keys/key-store.ts';
import { mustSetUpFactor } from '../proofs/second-step.ts';
import type { Sessions } from '../session/sessions.ts';
import { type Services } from '../services.ts';
import { endOwnSessions } from './devices.ts';

type Parts = {
  services: Services;
  sessions: Sessions;
  keyStore: KeyStore;
  proofs: Proofs;
  brand: string;
  origin: string;
};

const purposeOf = (userId: string): string => `registration ${userId}`;

type Own = Pick<SignedIn, 'session' | 'token'> & { caller: Caller };

/** An admin who has removed the last factor continues with this session alone, and sets up another one first. */
const restrictAfterRemoval = async (parts: Parts, { session, token, caller }: Own): Promise<void> => {
  const { services, sessions, proofs } = parts;
  const { data } = await services.identity(
    factorEndpoints.listCredentials,
    { userId: session.userId },
    asService(),
  );
  if (!mustSetUpFactor({ role: session.role, factors: data.factors }, proofs.adminTwoStep)) return;
  await sessions.restrict(token, true);
  await endOwnSessions(parts, { caller, session, keptId: session.id });
};

/**
 * The admin's other sessions end with the restriction: they began with the password alone, and would add a factor of their own
 * without the first one.
 */
const liftRestriction = async (parts: Parts, { session, token, caller }: Own): Promise<void> => {
  if (!session.needsSecondFactor) return;
  await endOwnSessions(parts, { caller, session, keptId: session.id });
  await parts.sessions.restrict(token, false);
};

const totpEndpoints = (parts: Parts): Route[] => {
  const { services, proofs } = parts;
  return [
    composed(publicEndpoints.confirmTotp, async ({ input, caller, session, token, userId: id, address }) => {
      const attempt = { userId: id, kind: 'code', client: session.id, address } as const;
      const reply = await proofs.proofLimits.count(attempt, () =>
        services.identity(factorEndpoints.confirmTotp, { userId: id, ...input }, { caller }),
      );
      await liftRestriction(parts, { session, token, caller });
      return reply;
    }),

    composed(publicEndpoints.removeTotp, async ({ session, token, userId, caller }) => {
      const reply = await services.identity(factorEndpoints.removeTotp, { userId }, { caller });
      await restrictAfterRemoval(parts, { session, token, caller });
      return reply;
    }),
  ];
};

const passkeyEndpoints = (parts: Parts): Route[] => {
  const { services, proofs, brand, origin } = parts;
  const { challenges } = proofs;
  return [
    composed(publicEndpoints.passkeyOptions, async ({ userId, caller }) => {
      const challenge = await challenges.issue(purposeOf(userId));
      const input = { userId, challenge, origin, brand };
      return services.identity(factorEndpoints.passkeyOptions, input, { caller });
    }),

    composed(
      publicEndpoints.addPasskey,
      async ({ input: { passkey: answer, name }, session, token, userId, caller }) => {
        const passkey = await challenges.redeem(purposeOf(userId), answer);
        const input = { userId, passkey, name };
        const reply = await services.identity(factorEndpoints.addPasskey, input, { caller });
        await liftRestriction(parts, { session, token, caller });
        return reply;
      },
    ),

    composed(
      publicEndpoints.removePasskey,
      async ({ input: { passkeyId }, session, token, userId, caller }) => {
        const reply = await services.identity(
          factorEndpoints.removePasskey,
          { userId, passkeyId },
          { caller },
        );
        await restrictAfterRemoval(parts, { session, token, caller });
        return reply;
      },
    ),
  ];
};

export const ownFactorEndpoints = (parts: Parts): Route[] => [
  ...totpEndpoints(parts),
  ...passkeyEndpoints(parts),
];
