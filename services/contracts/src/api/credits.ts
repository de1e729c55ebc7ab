import type { ReserveInput, SpendInput } from '../schemas/credits.ts';
import { defineEndpoint } from './endpoint.ts';
import type { CreditsAmounts, CreditsEntry, CreditsView, Reservation } from './public.ts';

type ForUser = { userId: string };
type ForReservation = ForUser & { reservationId: string };
export const creditsEndpoints = {
  /** `planVersion`: the lowest acceptable plan version; credits reads the plan from billing when its own is older. */
  getCredits: defineEndpoint<ForUser & { planVersion?: number }, CreditsView>('GET', '/credits/:userId'),
  listHistory: defineEndpoint<
    ForUser & { limit?: number; cursor?: string },
    { data: CreditsEntry[]; next: string | null }
  >('GET', '/credits/:userId/history'),
  spend: defineEndpoint<ForUser & SpendInput, CreditsAmounts>('POST', '/credits/:userId/spend'),
  reserve: defineEndpoint<ForUser & ReserveInput, Reservation>('POST', '/credits/:userId/reservations'),
  /** Makes the charge final, or releases the credit when another operation has been charged for the same contact meanwhile. */
  commitReservation: defineEndpoint<ForReservation, CreditsAmounts>(
    'POST',
    '/credits/:userId/reservations/:reservationId/commit',
  ),
  releaseReservation: defineEndpoint<ForReservation, CreditsAmounts>(
    'POST',
    '/credits/:userId/reservations/:reservationId/release',
  ),
  releaseExpired: defineEndpoint<{ limit?: number }, { released: number; more: boolean }>(
    'POST',
    '/reservations/release-expired',
  ),
  resetDue: defineEndpoint<{ limit?: number }, { reset: number; more: boolean }>(
    'POST',
    '/windows/reset-due',
  ),
} as const;

/** The header with the operation id of a charge. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
