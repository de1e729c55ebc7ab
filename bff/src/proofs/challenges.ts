import { hash, randomBytes } from 'node:crypto';
import type { PasskeyCeremony, PasskeyResponse } from '@shortlist/contracts/schemas/factors';
import type { Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { withAvailability } from '../session/availability.ts';

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
const SECONDS = 5 * 60;

const keyOf = (challenge: string): string => `challenge:${hash('sha256', challenge, 'base64url')}`;

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
    await withAvailability(redis.set(keyOf(challenge), purpose, 'EX', SECONDS));
    return challenge;
  },
  redeem: async (purpose, response) => {
    const challenge = challengeIn(response);
    const issuedFor = await withAvailability(redis.getdel(keyOf(challenge)));
    if (issuedFor !== purpose) throw createError('identity.passkey_refused');
    return { response, challenge, origin };
  },
});
