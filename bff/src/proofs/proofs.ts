// Wrong proofs are counted by kind, so that guessed codes block no other method, and separately for clients that the account knows, so that a
// person who has only the password cannot lock out the user's own devices.
//
// Each guess at a code of six digits is right with a chance of 3 in a million, since the steps before and after the current one are taken too.
// Ten an hour and 30 a day are one in 33,000 in an hour, one in 11,000 in a day, and 3 percent in a year of guessing each day, after the first
// of which the user gets a mail.
import { hash, randomBytes } from 'node:crypto';
import {
  factorEndpoints,
  type PasskeyCeremony,
  type PasskeyOptions,
  type PasskeyResponse,
} from '@shortlist/contracts/api/factors';
import { days, hours, minutes } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import { asService } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Config } from '../config.ts';
import { assertRecent } from '../http/access.ts';
import { type AttemptLimit, createAttemptLimit, networkOf } from '../limits/attempt-limit.ts';
import { type Session, withAvailability } from '../session/session.ts';
import type { Services } from '../services.ts';
import {
  type AdminTwoStep,
  createTickets,
  createTrustedDevices,
  reauthenticationOf,
  type Tickets,
  type TrustedDevices,
} from './second-step.ts';

export type ProofKind = 'password' | 'code' | 'recoveryCode' | 'passkey';

type ProofAttempt = {
  userId: string;
  kind: ProofKind;
  /** The name of a device or a session that the account knows; null for a client that has proved the password alone. */
  client: string | null;
  address: string;
};

type ProofLimits = {
  /** Runs the verification of a proof, of which a wrong one counts. Throws `request.rate_limited` beyond the limit. */
  count: <T>(attempt: ProofAttempt, verify: () => Promise<T>) => Promise<T>;
};

const WRONG_PER_HOUR = { attempts: 10, windowMs: hours(1) };
/** Over all unknown clients of the account, and over all known ones. */
const WRONG_PER_DAY = { attempts: 30, windowMs: days(1) };

/** Proofs that can be guessed. Recovery codes have 50 random bits, and no guess is a passkey's signature. */
const GUESSABLE = new Set<ProofKind>(['password', 'code']);

/** The errors after which a proof has been compared, or may have been. */
const COUNTED = new Set<string>([
  'identity.current_password_wrong',
  'identity.code_wrong',
  'identity.recovery_code_wrong',
  'identity.passkey_refused',
  'request.aborted',
  'service.timeout',
]);

/** Whose wrong proofs count together in an hour: those of a known client; else of the account or, of what cannot be guessed, a network. */
const hourKeyOf = ({ userId, kind, client, address }: ProofAttempt): string => {
  if (client !== null) return `${kind}:${userId}:${client}`;
  return GUESSABLE.has(kind) ? `${kind}:${userId}` : `${kind}:${userId}:${networkOf(address)}`;
};

const createProofLimits = (redis: Redis): ProofLimits => {
  const limitOf = (name: string, settings: { attempts: number; windowMs: number }): AttemptLimit =>
    createAttemptLimit(redis, { name, ...settings, withoutRedis: 'refuse' });
  const hourly = limitOf('proof', WRONG_PER_HOUR);
  const daily = limitOf('proof-day', WRONG_PER_DAY);

  const limitsOf = (attempt: ProofAttempt): [AttemptLimit, string][] => {
    const { userId, kind, client } = attempt;
    const limits: [AttemptLimit, string][] = [[hourly, hourKeyOf(attempt)]];
    if (GUESSABLE.has(kind))
      limits.push([daily, `${kind}:${userId}:${client === null ? 'unknown' : 'known'}`]);
    return limits;
  };

  return {
    count: async (attempt, verify) => {
      const counted: [AttemptLimit, string][] = [];
      const refund = () => Promise.all(counted.map(([limit, key]) => limit.refund(key)));
      try {
        for (const [limit, key] of limitsOf(attempt)) {
          await limit.consume(key);
          counted.push([limit, key]);
        }
        const result = await verify();
        await refund();
        return result;
      } catch (error) {
        if (!(error instanceof AppError && COUNTED.has(error.code))) await refund();
        throw error;
      }
    },
  };
};

/** What the endpoints share that verify more than a password. */
export type Proofs = {
  tickets: Tickets;
  challenges: Challenges;
  trustedDevices: TrustedDevices;
  proofLimits: ProofLimits;
  adminTwoStep: AdminTwoStep;
  /** The relying party of passkeys: the host of our pages. */
  rpId: string;
};

export const createProofs = (redis: Redis, { PUBLIC_URL, ADMIN_TWO_STEP }: Config, clock: Clock): Proofs => {
  const { origin, hostname } = new URL(PUBLIC_URL);
  return {
    tickets: createTickets(redis),
    challenges: createChallenges(redis, origin),
    trustedDevices: createTrustedDevices({ redis, clock }, PUBLIC_URL),
    proofLimits: createProofLimits(redis),
    adminTwoStep: ADMIN_TWO_STEP,
    rpId: hostname,
  };
};

type Parts = { services: Services; proofs: { adminTwoStep: AdminTwoStep }; clock: Clock };

/**
 * For a request that contains the current password, which is proof enough unless two-step verification is on, when it is not enough for a
 * reauthentication either. Throws `session.reauthentication_required` where it is not, and the session has no recent proof.
 */
export const assertPasswordSuffices = async (
  { services, proofs, clock }: Parts,
  session: Session,
): Promise<void> => {
  const { userId, role } = session;
  const { data } = await services.identity(factorEndpoints.listCredentials, { userId }, asService());
  const methods = reauthenticationOf({ role, factors: data.factors }, proofs.adminTwoStep);
  if (!methods.includes('password')) assertRecent(session, clock);
};

/** The challenges of passkey prompts, each for one purpose of one user and for one response. */
export type Challenges = {
  issue: (purpose: string) => Promise<string>;
  /** The response with its challenge, which this uses up. Throws `identity.passkey_refused` for a challenge of another purpose. */
  redeem: <Response extends PasskeyResponse>(
    purpose: string,
    response: Response,
  ) => Promise<PasskeyCeremony<Response>>;
};

/** As long as browsers show a prompt. */
const CHALLENGE_MS = minutes(5);

const challengeKey = (challenge: string): string => `challenge:${hash('sha256', challenge, 'base64url')}`;

const challengeIn = ({ response }: PasskeyResponse): string => {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString();
    const { challenge } = JSON.parse(text) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
};

const createChallenges = (redis: Redis, origin: string): Challenges => ({
  issue: async (purpose) => {
    const challenge = randomBytes(32).toString('base64url');
    await withAvailability(redis.set(challengeKey(challenge), purpose, 'PX', CHALLENGE_MS));
    return challenge;
  },
  redeem: async (purpose, response) => {
    const challenge = challengeIn(response);
    const issuedFor = await withAvailability(redis.getdel(challengeKey(challenge)));
    if (issuedFor !== purpose) throw createError('identity.passkey_refused');
    return { response, challenge, origin };
  },
});

type Prompt = {
  challenge: string;
  rpId: string;
  /** The passkeys that the browser may offer; without them, the user chooses one of the site's. */
  credentials?: { id: string; transports: string[] }[];
};

const TIMEOUT_MS = minutes(2);

/** The options of a passkey prompt. Without a password before it, the authenticator has to verify its user. */
export const promptOptions = ({ challenge, rpId, credentials }: Prompt): PasskeyOptions => ({
  challenge,
  rpId,
  timeout: TIMEOUT_MS,
  userVerification: credentials === undefined ? 'required' : 'preferred',
  allowCredentials: (credentials ?? []).map((credential) => ({ ...credential, type: 'public-key' })),
});
