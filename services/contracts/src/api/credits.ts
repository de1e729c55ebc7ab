import {
  type HistoryQuery,
  historyRules,
  type ReserveInput,
  reserveRules,
  type SpendInput,
  spendRules,
} from '../schemas/credits.ts';
import { uuid, wholeNumber } from '../schemas/text.ts';
import type { CreditsAmounts, CreditsEntry, CreditsView, Reservation } from './public-plan.ts';
import { serviceEndpoint } from './service-endpoint.ts';

type ForUser = { userId: string };
type ForReservation = ForUser & { reservationId: string };
type Chunk = { limit?: number };

const reservation = { userId: uuid, reservationId: uuid };
const chunk = { limit: wholeNumber.min(1).max(5_000) };

export const creditsEndpoints = {
  /** `planVersion`: the lowest acceptable plan version; credits reads the plan from billing when its own is older. */
  getCredits: serviceEndpoint<ForUser & { planVersion?: number }, CreditsView>({
    method: 'GET',
    path: '/credits/:userId',
    roles: ['user', 'admin', 'service'],
    self: 'userId',
    input: { userId: uuid, planVersion: wholeNumber.min(0) },
  }),
  listHistory: serviceEndpoint<ForUser & HistoryQuery, { data: CreditsEntry[]; next: string | null }>({
    method: 'GET',
    path: '/credits/:userId/history',
    roles: ['user', 'admin'],
    self: 'userId',
    input: { userId: uuid, ...historyRules },
  }),
  spend: serviceEndpoint<ForUser & SpendInput, CreditsAmounts>({
    method: 'POST',
    path: '/credits/:userId/spend',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, ...spendRules },
  }),
  reserve: serviceEndpoint<ForUser & ReserveInput, Reservation>({
    method: 'POST',
    path: '/credits/:userId/reservations',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, ...reserveRules },
  }),
  /** Makes the charge final, or releases the credit when another operation has been charged for the same contact meanwhile. */
  commitReservation: serviceEndpoint<ForReservation, CreditsAmounts>({
    method: 'POST',
    path: '/credits/:userId/reservations/:reservationId/commit',
    roles: ['user'],
    self: 'userId',
    input: reservation,
  }),
  releaseReservation: serviceEndpoint<ForReservation, CreditsAmounts>({
    method: 'POST',
    path: '/credits/:userId/reservations/:reservationId/release',
    roles: ['user'],
    self: 'userId',
    input: reservation,
  }),
  releaseExpired: serviceEndpoint<Chunk, { released: number; more: boolean }>({
    method: 'POST',
    path: '/reservations/release-expired',
    roles: ['service'],
    input: chunk,
  }),
  resetDue: serviceEndpoint<Chunk, { reset: number; more: boolean }>({
    method: 'POST',
    path: '/windows/reset-due',
    roles: ['service'],
    input: chunk,
  }),
} as const;

/** The header with the operation id of a charge. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
