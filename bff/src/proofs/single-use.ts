import { hash, randomBytes } from 'node:crypto';
import type { PasskeyOptions, SecondFactorMethod } from '@shortlist/contracts/api/factors';
import { minutes } from '@shortlist/contracts/durations';
import { SECOND_STEP_SECONDS, SECOND_STEP_TRIES } from '@shortlist/contracts/limits';
import type { PasskeyCeremony, PasskeyResponse } from '@shortlist/contracts/schemas/factors';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { type SessionRole, withAvailability } from '../session/session.ts';

/** A log-in whose password was right. */
export type FirstStep = {
  userId: string;
  email: string;
  role: SessionRole;
  methods: SecondFactorMethod[];
  /** That of the factors at the first step: a change of the password ends the log-in. */
  fingerprint: string;
};

export type Tickets = {
  /** Stores the first step of a log-in. The ticket is 256 random bits; Redis stores only its hash. */
  issue: (step: FirstStep) => Promise<string>;
  /** Throws `session.second_step_ended` for an unknown, expired, used or spent ticket. */
  read: (ticket: string) => Promise<FirstStep>;
  /** Counts a try before its code is compared, in one step with the comparison. Throws as `read`. Returns how many are left. */
  countTry: (ticket: string) => Promise<number>;
  /** Uses the ticket up. Throws as `read`: of two right codes at the same moment, one logs in. */
  close: (ticket: string) => Promise<void>;
};

const COUNT_TRY = `
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
return tonumber(ARGV[1]) - redis.call('HINCRBY', KEYS[1], 'tries', 1)`;

const ticketKey = (ticket: string): string => `second-step:${hash('sha256', ticket, 'base64url')}`;

const end = (): never => {
  throw createError('session.second_step_ended');
};

export const createTickets = (redis: Redis): Tickets => {
  const countTry = defineScript<number>(redis, 'countSecondStep', { keys: 1, lua: COUNT_TRY });
  return {
    issue: async (step) => {
      const ticket = randomBytes(32).toString('base64url');
      const key = ticketKey(ticket);
      const commands = redis
        .multi()
        .hset(key, 'step', JSON.stringify(step), 'tries', 0)
        .expire(key, SECOND_STEP_SECONDS);
      await withAvailability(commands.exec());
      return ticket;
    },
    read: async (ticket) => {
      const step = await withAvailability(redis.hget(ticketKey(ticket), 'step'));
      return step === null ? end() : (JSON.parse(step) as FirstStep);
    },
    countTry: async (ticket) => {
      const left = await withAvailability(countTry([ticketKey(ticket)], [SECOND_STEP_TRIES]));
      return left < 0 ? end() : left;
    },
    close: async (ticket) => {
      if ((await withAvailability(redis.del(ticketKey(ticket)))) !== 1) end();
    },
  };
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

export const createChallenges = (redis: Redis, origin: string): Challenges => ({
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
