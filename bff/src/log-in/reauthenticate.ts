import { factorEndpoints } from '@shortlist/contracts/api/factors';
import {
  type IdentityProof,
  logInEndpoints,
  type ReauthenticationInput,
} from '@shortlist/contracts/api/authentication';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { asService } from '@shortlist/kit/http/http-client';
import { createError } from '@shortlist/kit/process/errors';
import { composed, type Route } from '../http/endpoint.ts';
import { promptOptions, type ProofKind, type Proofs } from '../proofs/proofs.ts';
import { reauthenticationOf } from '../proofs/second-step.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { HASH_TIMEOUT_MS, type Services } from '../services.ts';

type Parts = { services: Services; sessions: Sessions; proofs: Proofs };

const METHODS = { password: 'password', code: 'totp', recoveryCode: 'recovery', passkey: 'passkey' } as const;
const purposeOf = (session: Session): string => `reauthentication ${session.id}`;

const kindOf = (proof: ReauthenticationInput): ProofKind => {
  const kinds = Object.keys(METHODS) as ProofKind[];
  return kinds.find((kind) => kind in proof) ?? 'password';
};

/** Step-up: the user proves again who they are, before something that a stolen session must not do. */
export const reauthenticationEndpoints = ({ services, sessions, proofs }: Parts): Route[] => {
  const { challenges, proofLimits, adminTwoStep, rpId } = proofs;
  const readCredentials = async (userId: string) =>
    (await services.identity(factorEndpoints.listCredentials, { userId }, asService())).data;

  const prove = async (session: Session, proof: ReauthenticationInput): Promise<void> => {
    const identityProof: IdentityProof =
      'passkey' in proof ? { passkey: await challenges.redeem(purposeOf(session), proof.passkey) } : proof;
    await services.identity(
      logInEndpoints.prove,
      { userId: session.userId, proof: identityProof },
      asService({ timeoutMs: HASH_TIMEOUT_MS }),
    );
  };

  return [
    composed(publicEndpoints.reauthentication, async ({ session }) => {
      const { factors, credentials } = await readCredentials(session.userId);
      const methods = reauthenticationOf({ role: session.role, factors }, adminTwoStep);
      if (!methods.includes('passkey')) return { data: { methods, passkey: null } };
      const challenge = await challenges.issue(purposeOf(session));
      return { data: { methods, passkey: promptOptions({ challenge, rpId, credentials }) } };
    }),

    composed(publicEndpoints.reauthenticate, async ({ input: proof, token, session, address }) => {
      const kind = kindOf(proof);
      const { factors } = await readCredentials(session.userId);
      const methods = reauthenticationOf({ role: session.role, factors }, adminTwoStep);
      if (!methods.includes(METHODS[kind])) throw createError('request.invalid');
      const { userId, id: client } = session;
      const attempt = { userId, kind, client, address };
      await proofLimits.count(attempt, () => prove(session, proof));
      if (token !== null) await sessions.reauthenticated(token);
      return { message: 'reauthenticated' };
    }),
  ];
};
