import type { SpendInput } from '../schemas/credits.ts';
import { door } from './door.ts';
import type { CreditsAmounts, CreditsEntry, CreditsView } from './public.ts';

type ForUser = { userId: string };

export const creditsDoors = {
  /** `planVersion`: answer from a plan state at least this new; credits asks billing itself when it has not heard it yet. */
  getCredits: door<ForUser & { planVersion?: number }, CreditsView>('GET', '/credits/:userId'),
  listHistory: door<
    ForUser & { limit?: number; cursor?: string },
    { data: CreditsEntry[]; next: string | null }
  >('GET', '/credits/:userId/history'),
  spend: door<ForUser & SpendInput, CreditsAmounts>('POST', '/credits/:userId/spend'),
  resetDue: door<{ limit?: number }, { reset: number; more: boolean }>('POST', '/windows/reset-due'),
} as const;

/** Names the operation that a spend belongs to. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
