import { factorEndpoints, type IdentityProof, type ProvenIdentity } from '@shortlist/contracts/api/factors';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SecondFactorProof } from '@shortlist/contracts/api/public-factors';
import { errorMessageWithTries } from '@shortlist/contracts/errors';
import { asService } from '@shortlist/kit/http/http-client';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { composed, type Exchange, type Route } from '../http/endpoint.ts';
import type { LoginLimits } from '../limits/login-limits.ts';
import type { ProofKind } from '../proofs/proofs.ts';
import { type FirstStep, promptOptions } from '../proofs/single-use.ts';
import { completeLogIn, type LogInParts } from './begin-session.ts';
import { originOf, recordFailedSignIn } from './sign-ins.ts';

type Parts = LogInParts & { limits: LoginLimits };

const METHODS = { code: 'totp', recoveryCode: 'recovery', passkey: 'passkey' } as const;
const SIGN_IN_METHODS = { code: 'code', recoveryCode: 'recovery_code', passkey: 'passkey' } as const;
const purposeOf = (ticket: string): string => `second step ${ticket}`;

const kindOf = (proof: SecondFactorProof): keyof typeof METHODS => {
  if ('code' in proof) return 'code';
  return 'recoveryCode' in proof ? 'recoveryCode' : 'passkey';
};

const WRONG = new Set<string>([
  'identity.code_wrong',
  'identity.recovery_code_wrong',
  'identity.passkey_refused',
]);

const isWrong = (error: unknown): error is AppError => error instanceof AppError && WRONG.has(error.code);

/** The error of a wrong proof says how many tries are left; the last one ends the log-in. */
const withTries = (error: unknown, kind: ProofKind, left: number): unknown => {
  if (!isWrong(error)) return error;
  if (left === 0) return createError('session.second_step_ended', { cause: error });
  const fields = { [kind]: errorMessageWithTries(error.code, left) };
  return createError(error.code, { cause: error, fields });
};

type Try = {
  ticket: string;
  step: FirstStep;
  proof: SecondFactorProof;
  exchange: Pick<Exchange, 'request' | 'address'>;
};

const verifySecondFactor = async (
  parts: Parts,
  { ticket, step, proof, exchange }: Try,
): Promise<ProvenIdentity> => {
  const { services, proofs, deviceCookie } = parts;
  const { tickets, challenges, proofLimits } = proofs;
  const { userId } = step;
  const { request, address } = exchange;
  const kind = kindOf(proof);
  const client = await deviceCookie.find(request, step.email);
  let left = 0;
  const verify = async (): Promise<ProvenIdentity> => {
    left = await tickets.countTry(ticket);
    const identityProof: IdentityProof =
      'passkey' in proof ? { passkey: await challenges.redeem(purposeOf(ticket), proof.passkey) } : proof;
    const input = { userId, proof: identityProof };
    return (await services.identity(factorEndpoints.prove, input, asService())).data;
  };
  try {
    return await proofLimits.count({ userId, kind, client, address }, verify);
  } catch (error) {
    if (isWrong(error))
      recordFailedSignIn(parts, exchange, { id: userId, method: SIGN_IN_METHODS[kind], isLocking: false });
    throw withTries(error, kind, left);
  }
};

/** The second step of a log-in, for users and admins alike. */
export const secondStepEndpoints = (parts: Parts): Route[] => {
  const { services, limits, deviceCookie, proofs } = parts;
  const { tickets, challenges, trustedDevices, rpId } = proofs;
  return [
    composed(
      publicEndpoints.secondFactor,
      async ({ input: { ticket, remember = false, ...proof }, ...exchange }) => {
        const { address } = exchange;
        const step = await tickets.read(ticket);
        if (!step.methods.includes(METHODS[kindOf(proof)])) throw createError('request.invalid');
        const proven = await verifySecondFactor(parts, { ticket, step, proof, exchange });
        await tickets.close(ticket);
        const { id, factors } = proven;
        if (factors.fingerprint !== step.fingerprint) throw createError('session.second_step_ended');
        const device = await deviceCookie.find(exchange.request, step.email);
        await limits.succeeded({ email: step.email, address, device });
        if (remember) {
          const account = { userId: id, fingerprint: factors.fingerprint };
          await trustedDevices.trust(exchange, account, originOf(parts, exchange));
        }
        const method = SIGN_IN_METHODS[kindOf(proof)];
        return completeLogIn(parts, exchange, { ...proven, method });
      },
    ),

    composed(publicEndpoints.secondFactorPasskey, async ({ input: { ticket } }) => {
      const { userId } = await tickets.read(ticket);
      const { data } = await services.identity(factorEndpoints.listCredentials, { userId }, asService());
      const challenge = await challenges.issue(purposeOf(ticket));
      return { data: promptOptions({ challenge, rpId, credentials: data.credentials }) };
    }),
  ];
};
