import type { v1Endpoints } from '@shortlist/contracts/api/v1';
import { ERRORS, type ErrorCode } from '@shortlist/contracts/errors';
import { titleOf } from '@shortlist/bff/http/problem';

type Name = keyof typeof v1Endpoints;

/** Before an endpoint is known. */
const ANYWHERE: ErrorCode[] = ['request.not_found', 'request.method_not_allowed', 'request.wrong_host'];

const OF_EVERY_ENDPOINT: ErrorCode[] = [
  'request.invalid',
  'request.malformed',
  'request.too_many_parameters',
  'request.too_large',
  'request.unsupported_type',
  'request.unsupported_charset',
  'client.key_in_address',
  'client.key_missing',
  'client.key_refused',
  'client.token_refused',
  'client.scope_missing',
  'client.restricted',
  'request.rate_limited',
  'service.failed',
  'service.unavailable',
  'session.unavailable',
  'service.timeout',
];

const OF_NEW_CHARGES: ErrorCode[] = [
  'credits.balance_too_low',
  'credits.daily_limit',
  'credits.key_reused',
  'credits.idempotency_key_missing',
  'credits.user_not_found',
  'client.origin_refused',
];

const OF_RESERVATIONS: ErrorCode[] = [
  'credits.reservation_not_found',
  'credits.reservation_ended',
  'client.origin_refused',
];

const OF_ENDPOINTS: Partial<Record<Name, ErrorCode[]>> = {
  me: ['profile.not_found', 'profile.deleted'],
  entitlements: ['credits.user_not_found'],
  listCharges: ['request.stale_cursor'],
  charge: OF_NEW_CHARGES,
  reserve: OF_NEW_CHARGES,
  commit: OF_RESERVATIONS,
  release: OF_RESERVATIONS,
};

/** The replies by which an endpoint refuses a request, by status. */
export const refusalsOf = (name: Name): Record<string, object> => {
  const codes = [...OF_EVERY_ENDPOINT, ...(OF_ENDPOINTS[name] ?? [])];
  const byStatus = Object.groupBy(codes, (code) => ERRORS[code][0]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, ofStatus = []]) => [
      status,
      {
        description: ofStatus.map((code) => `[\`${code}\`](#${code}): ${titleOf(code)}`).join('\n\n'),
        ...(status === '429'
          ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
          : {}),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
};

/** The list of all codes. The `type` of an error leads to the anchor of its code. */
export const errorList = (): string => {
  const codes = new Set([...ANYWHERE, ...OF_EVERY_ENDPOINT, ...Object.values(OF_ENDPOINTS).flat()]);
  return [...codes]
    .toSorted((a, b) => ERRORS[a][0] - ERRORS[b][0] || a.localeCompare(b))
    .map((code) => `- <a id="${code}"></a>${ERRORS[code][0]} \`${code}\`: ${titleOf(code)}`)
    .join('\n');
};
