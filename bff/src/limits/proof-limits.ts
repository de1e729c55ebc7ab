import type { Redis } from '@shortlist/kit/data/redis';
import { AppError } from '@shortlist/kit/process/errors';
import { type AttemptLimit, createAttemptLimit } from './attempt-limit.ts';

export type ProofKind = 'password' | 'code' | 'recoveryCode' | 'passkey';

export type ProofLimits = {
  /** Runs the verification of a proof. A wrong one counts against the account; beyond the limit it throws `request.rate_limited`. */
  count: <T>(userId: string, proof: ProofKind, verify: () => Promise<T>) => Promise<T>;
};

const HOUR = 60 * 60;
/** Six digits are guessed with a chance of 1 in 30,000 by this many tries, whatever number of log-ins they belong to. */
const WRONG_PER_HOUR = 10;

/** The errors after which a proof has been compared, or may have been. */
const COUNTED = new Set<string>([
  ...['identity.current_password_wrong', 'identity.code_wrong', 'identity.recovery_code_wrong'],
  ...['identity.passkey_refused', 'request.aborted', 'service.timeout'],
]);

/** Limits wrong proofs of an account by kind, so that guessed codes do not keep the user's recovery codes and passkeys out. */
export const createProofLimits = (redis: Redis): ProofLimits => {
  const limitOf = (name: string): AttemptLimit =>
    createAttemptLimit(redis, {
      ...{ name: `proof-${name}`, attempts: WRONG_PER_HOUR, seconds: HOUR },
      withoutRedis: 'refuse',
    });
  const limits: Record<ProofKind, AttemptLimit> = {
    password: limitOf('password'),
    code: limitOf('code'),
    recoveryCode: limitOf('recovery-code'),
    passkey: limitOf('passkey'),
  };
  return {
    count: async (userId, kind, verify) => {
      await limits[kind].consume(userId);
      try {
        const result = await verify();
        await limits[kind].refund(userId);
        return result;
      } catch (error) {
        if (!(error instanceof AppError && COUNTED.has(error.code))) await limits[kind].refund(userId);
        throw error;
      }
    },
  };
};
