import {
  billingEndpoints,
  packEndpoints,
  type SubscriptionReply,
  type SubscriptionView,
} from '@shortlist/contracts/api/billing';
import { creditsEndpoints, type CreditsView } from '@shortlist/contracts/api/credits';
import type { AccountStatus } from '@shortlist/contracts/api/directory';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { type Profile, profileEndpoints, type UserView } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { signInEndpoints } from '@shortlist/contracts/api/sessions';
import { asService } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { settleAll } from '@shortlist/kit/process/settle-all';
import { endAccess, type KeyStore } from '../api-keys/key-store.ts';
import { composed, type Route } from '../http/endpoint.ts';
import { type Services, unlessAway } from '../services.ts';
import { findOwnSuppression } from './suppressions.ts';
import type { Limits } from '../limits/limits.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Xsrf } from '../session/xsrf.ts';

type ViewParts = { profile: Profile; subscription: SubscriptionReply; credits: CreditsView };

const present = ({ profile, subscription: { data }, credits }: ViewParts): UserView => ({
  ...profile,
  plan: data.plan,
  last_credit_reset: data.periodStart,
  current_period_start: data.periodStart,
  current_period_end: data.periodEnd,
  stripe_customer_id: data.customerId,
  composed: credits.used,
  subscription: {
    startDate: data.periodStart,
    endDate: data.periodEnd,
    isPremium: data.plan === 'premium',
    continuation: data.continuation,
    premiumUntil: data.premiumUntil,
  },
});

type Known = {
  caller: Caller;
  profile?: Profile;
  subscription?: SubscriptionReply | Promise<SubscriptionReply>;
};

/**
 * The user as screens show them, from profile, billing and credits; pass what the caller has already read. credits is called
 * with the plan version that billing returned, so that the two never show different periods.
 */
export const composeUser = async (
  services: Services,
  id: string,
  { caller, ...known }: Known,
): Promise<UserView> => {
  const [profile, subscription] = await Promise.all([
    known.profile ??
      services.profile(profileEndpoints.getProfile, { id }, { caller }).then(({ data }) => data),
    known.subscription ?? services.billing(billingEndpoints.getSubscription, { userId: id }, { caller }),
  ]);
  const planVersion = subscription.planState.version;
  const credits = await services.credits(
    creditsEndpoints.getCredits,
    { userId: id, planVersion },
    { caller },
  );
  return present({ profile, subscription, credits });
};

/** The user of a session, with the subscription while its payment is in trouble: the first page shows a bar about it. */
export const composeSessionUser = async (
  services: Services,
  id: string,
  caller: Caller,
): Promise<{ user: UserView; subscription?: SubscriptionView }> => {
  const reading = services.billing(billingEndpoints.getSubscription, { userId: id }, { caller });
  const user = await composeUser(services, id, { caller, subscription: reading });
  const { data: subscription } = await reading;
  return subscription.problem === null ? { user } : { user, subscription };
};

type StatusParts = {
  services: Services;
  log: Log;
  limits: Limits;
  /** Whether a checkout requires a confirmed address. */
  needsVerified: boolean;
  clock: Clock;
};

const readAccess = async (
  { services, log, limits, needsVerified, clock }: StatusParts,
  id: string,
): Promise<AccountStatus['access']> => {
  const account = await services.identity(identityEndpoints.email, { id }, asService());
  const { email, isVerified, confirmBy } = account.data;
  const [lockedUntil, suppression] = await settleAll([
    limits.logIn.lockedUntil(email, clock()),
    findOwnSuppression({ services, log }, { email, pendingEmail: null }),
  ]);
  return {
    isVerified,
    confirmBy,
    blocksCheckout: needsVerified && !isVerified,
    lockedUntil: lockedUntil?.toISOString() ?? null,
    suppression,
  };
};

const readPlan = async (
  { billing }: Services,
  userId: string,
  caller: Caller,
): Promise<AccountStatus['plan']> => {
  const [subscription, packs] = await Promise.all([
    billing(billingEndpoints.getSubscription, { userId }, { caller }),
    billing(packEndpoints.listCreditPacks, { userId }, asService()),
  ]);
  return { subscription: subscription.data, packs: packs.data };
};

/** Why a user cannot log in or pay, for support. */
export const accountStatusEndpoint = (parts: StatusParts): Route =>
  composed(publicEndpoints.accountStatus, async ({ input: { id }, caller }) => {
    const [access, plan] = await settleAll([
      unlessAway(parts.log, readAccess(parts, id)),
      unlessAway(parts.log, readPlan(parts.services, id, caller)),
    ]);
    return { data: { access, plan } };
  });

type Parts = { services: Services; sessions: Sessions; keyStore: KeyStore; log: Log };

export const userEndpoints = ({ services, sessions, keyStore, log }: Parts): Route[] => [
  composed(publicEndpoints.getUser, async ({ input: { id }, caller }) => ({
    data: await composeUser(services, id, { caller }),
  })),

  composed(publicEndpoints.deleteUser, async ({ input: { id }, caller }) => {
    const { generation } = await services.identity(privacyEndpoints.eraseUser, { id }, { caller });
    await endAccess({ sessions, keyStore }, id, generation);
    // UserDeleted deletes the profile too; deleted here as well, the next list is without it.
    await services
      .profile(profileEndpoints.eraseUser, { id }, { caller })
      .catch((error: unknown) => log.warn({ err: error }, 'profile not deleted; UserDeleted will'));
    return { message: 'deleted' };
  }),
];

type ViewingParts = { services: Services; sessions: Sessions; xsrf: Xsrf };

/** An admin views the product as a user. The viewing ends with the admin's own session at the latest. */
export const viewingEndpoint = ({ services, sessions, xsrf }: ViewingParts): Route =>
  composed(
    publicEndpoints.startViewing,
    async ({ input, request, response, caller, session, token, bindings }) => {
      const viewer = { id: session.userId, token, binding: bindings.admin };
      const begun = await sessions.beginViewing(input.id, viewer);
      // Without the record there is no viewing.
      await services
        .identity(signInEndpoints.recordViewing, { ...input, sessionId: begun.id }, { caller })
        .catch(async (error: unknown) => {
          await sessions.end(begun.token);
          throw error;
        });
      xsrf.renew({ request, response }, { begun: begun.token });
      return { data: { token: begun.token, remainingTime: begun.remainingSeconds } };
    },
  );

export const sessionCheckEndpoints = (services: Services): Route[] => {
  const deletionOf = async (
    { userId, isBeingDeleted }: Session,
    caller: Caller,
  ): Promise<{ deletionDueAt?: string }> => {
    if (!isBeingDeleted) return {};
    const { data } = await services.identity(privacyEndpoints.getDeletion, { id: userId }, { caller });
    return data === null ? {} : { deletionDueAt: data.dueAt };
  };
  return [
    composed(publicEndpoints.checkUser, async ({ session, caller }) => {
      const [ofUser, deletion] = await Promise.all([
        composeSessionUser(services, session.userId, caller),
        deletionOf(session, caller),
      ]);
      return { remainingTime: session.remainingSeconds, ...ofUser, ...deletion };
    }),

    // One round trip to Redis and nothing else.
    composed(publicEndpoints.checkAdmin, ({ session }) => {
      const { remainingSeconds: remainingTime, needsSecondFactor, adminRole: role } = session;
      if (role === null) throw createError('session.missing');
      return Promise.resolve({ remainingTime, role, ...(needsSecondFactor ? { needsSecondFactor } : {}) });
    }),
  ];
};
