import type { ReserveInput, SpendInput } from '../schemas/credits.ts';
import { endpoint } from './endpoint.ts';
import type { CreditsAmounts, CreditsEntry, CreditsView, Reservation } from './public.ts';

type ForUser = { userId: string };
type ForReservation = ForUser & { reservationId: string };
export const creditsEndpoints = {
  /** `planVersion`: answer from a plan state at least this new; credits asks billing itself when it has not heard it yet. */
  getCredits: endpoint<ForUser & { planVersion?: number }, CreditsView>('GET', '/credits/:userId'),
  listHistory: endpoint<
    ForUser & { limit?: number; cursor?: string },
    { data: CreditsEntry[]; next: string | null }
  >('GET', '/credits/:userId/history'),
  spend: endpoint<ForUser & SpendInput, CreditsAmounts>('POST', '/credits/:userId/spend'),
  reserve: endpoint<ForUser & ReserveInput, Reservation>('POST', '/credits/:userId/reservations'),
  /** Keeps the credit, or gives it back when another operation has paid for the same contact meanwhile. */
  commitReservation: endpoint<ForReservation, CreditsAmounts>(
    'POST',
    '/credits/:userId/reservations/:reservationId/commit',
  ),
  releaseReservation: endpoint<ForReservation, CreditsAmounts>(
    'POST',
    '/credits/:userId/reservations/:reservationId/release',
  ),
  releaseExpired: endpoint<{ limit?: number }, { released: number; more: boolean }>(
    'POST',
    '/reservations/release-expired',
  ),
  resetDue: endpoint<{ limit?: number }, { reset: number; more: boolean }>('POST', '/windows/reset-due'),
} as const;

/** Names the operation that a spend belongs to. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
