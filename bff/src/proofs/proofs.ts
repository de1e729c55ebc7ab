import type { Redis } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Config } from '../config.ts';
import { createProofLimits, type ProofLimits } from '../limits/proof-limits.ts';
import { type Challenges, createChallenges } from './challenges.ts';
import type { AdminTwoStep } from './second-step.rules.ts';
import { createTickets, type Tickets } from './tickets.ts';
import { createTrustedDevices, type TrustedDevices } from './trusted-devices.ts';

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
