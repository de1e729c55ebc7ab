import { hash, randomBytes } from 'node:crypto';
import type { SecondFactorMethod } from '@shortlist/contracts/api/factors';
import { SECOND_STEP_SECONDS, SECOND_STEP_TRIES } from '@shortlist/contracts/limits';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import { createError } from '@shortlist/kit/process/errors';
import { withAvailability } from '../session/availability.ts';
import type { SessionRole } from '../session/session.ts';

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

const keyOf = (ticket: string): string => `second-step:${hash('sha256', ticket, 'base64url')}`;

const end = (): never => {
  throw createError('session.second_step_ended');
};

export const createTickets = (redis: Redis): Tickets => {
  const countTry = defineScript<number>(redis, 'countSecondStep', { keys: 1, lua: COUNT_TRY });
  return {
    issue: async (step) => {
      const ticket = randomBytes(32).toString('base64url');
      const key = keyOf(ticket);
      const commands = redis
        .multi()
        .hset(key, 'step', JSON.stringify(step), 'tries', 0)
        .expire(key, SECOND_STEP_SECONDS);
      await withAvailability(commands.exec());
      return ticket;
    },
    read: async (ticket) => {
      const step = await withAvailability(redis.hget(keyOf(ticket), 'step'));
      return step === null ? end() : (JSON.parse(step) as FirstStep);
    },
    countTry: async (ticket) => {
      const left = await withAvailability(countTry([keyOf(ticket)], [SECOND_STEP_TRIES]));
      return left < 0 ? end() : left;
    },
    close: async (ticket) => {
      if ((await withAvailability(redis.del(keyOf(ticket)))) !== 1) end();
    },
  };
};
