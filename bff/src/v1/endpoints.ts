import { creditsEndpoints, IDEMPOTENCY_HEADER } from '@shortlist/contracts/api/credits';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { v1Endpoints } from '@shortlist/contracts/api/v1';
import { days, inSeconds } from '@shortlist/contracts/durations';
import { featuresOf } from '@shortlist/contracts/plan';
import { type ClientRoute, type Exchange, forTool, tagged } from '../http/endpoint.ts';
import type { Services } from '../services.ts';

/** How long an app may go on with what it knows of a plan while it cannot reach us. Source: RFC 5861. */
const STALE_SECONDS = inSeconds(days(1));
const ENTITLEMENTS_CACHE = `private, max-age=0, stale-if-error=${STALE_SECONDS}`;

/** credits refuses a request without it. */
const keyOf = (request: Exchange['request']): Record<string, string> => {
  const key = request.get(IDEMPOTENCY_HEADER);
  return key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key };
};

const accountEndpoints = ({ profile, credits }: Services): ClientRoute[] => [
  forTool(v1Endpoints.me, async ({ client, userId, caller }) => {
    const { data } = await profile(profileEndpoints.getProfile, { id: userId }, { caller });
    const { id, email, firstName, lastName } = data;
    const { id: keyId, scopes, expiresAt } = client;
    return { id, email, firstName, lastName, key: { id: keyId, scopes, expiresAt } };
  }),

  tagged(v1Endpoints.entitlements, {
    cacheControl: ENTITLEMENTS_CACHE,
    handle: async ({ userId, caller }) => {
      const balance = await credits(creditsEndpoints.getBalance, { userId }, { caller });
      const { plan, limit, used, available, windowStart, windowEnd } = balance;
      const buckets = balance.buckets.map(({ kind, available: left, endsAt }) => ({
        kind,
        available: left,
        endsAt,
      }));
      return {
        plan,
        features: featuresOf(plan),
        credits: { limit, used, available, windowStart, windowEnd, buckets },
      };
    },
  }),
];

const reservationEndpoints = ({ credits }: Services): ClientRoute[] => [
  forTool(v1Endpoints.reserve, ({ input, userId, caller, request }) =>
    credits(creditsEndpoints.reserve, { userId, ...input }, { caller, headers: keyOf(request) }),
  ),

  forTool(v1Endpoints.commit, ({ input, userId, caller }) =>
    credits(creditsEndpoints.commitReservation, { userId, ...input }, { caller }),
  ),

  forTool(v1Endpoints.release, ({ input, userId, caller }) =>
    credits(creditsEndpoints.releaseReservation, { userId, ...input }, { caller }),
  ),
];

/** What responds to the API for apps. */
export const v1Routes = (services: Services): ClientRoute[] => {
  const { credits } = services;
  return [
    ...accountEndpoints(services),

    forTool(v1Endpoints.charge, ({ input, userId, caller, request }) =>
      credits(creditsEndpoints.spend, { userId, ...input }, { caller, headers: keyOf(request) }),
    ),

    forTool(v1Endpoints.listCharges, ({ input, userId, caller }) =>
      credits(creditsEndpoints.listHistory, { userId, ...input }, { caller }),
    ),

    ...reservationEndpoints(services),

    forTool(v1Endpoints.usage, ({ input, userId, caller }) =>
      credits(creditsEndpoints.getUsage, { userId, ...input }, { caller }),
    ),
  ];
};
