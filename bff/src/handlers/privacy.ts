import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { type DeletionRequest, privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createFieldError } from '@shortlist/kit/process/errors';
import { endAccess, type KeyStore } from '../api-keys/key-store.ts';
import { composed, type Route } from '../http/endpoint.ts';
import type { Sessions } from '../session/sessions.ts';
import { PROVIDER_TIMEOUT_MS, type Services } from '../services.ts';

type Parts = { services: Services; sessions: Sessions; keyStore: KeyStore };

/** Before the subscription ends: a mistyped address must change nothing. identity compares it again. */
const assertOwnEmail = async (
  { services }: Parts,
  { id, email }: { id: string; email: string },
  caller: Caller,
): Promise<void> => {
  const account = await services.identity(identityEndpoints.email, { id }, { caller });
  if (account.data.email === email) return;
  throw createFieldError('identity.email_mismatch', 'email');
};

/** Ends the subscription as the user chose, and returns the end of what is paid for and kept. Nothing is refunded. */
const endSubscription = async (
  { services }: Parts,
  { id, subscription }: DeletionRequest & { id: string },
  caller: Caller,
): Promise<string | null> => {
  const when = subscription === 'keep' ? 'period_end' : 'now';
  const reply = await services.billing(
    billingEndpoints.revokePlan,
    { userId: id, when },
    { caller, timeoutMs: PROVIDER_TIMEOUT_MS },
  );
  return reply.data.premiumUntil;
};

/** The deletion of the account. */
export const deletionEndpoints = (parts: Parts): Route[] => {
  const { services, sessions, keyStore } = parts;
  return [
    composed(publicEndpoints.requestDeletion, async ({ input, caller, userId: id }) => {
      const request = { ...input, id };
      await assertOwnEmail(parts, request, caller);
      const keepUntil = await endSubscription(parts, request, caller);
      const { data, generation } = await services.identity(
        privacyEndpoints.requestDeletion,
        { ...request, keepUntil },
        { caller },
      );
      await endAccess(parts, id, generation);
      return { message: 'deletion requested', data };
    }),

    composed(publicEndpoints.keepAccount, async ({ caller, userId: id }) => {
      await services.identity(privacyEndpoints.cancelDeletion, { id }, { caller });
      await Promise.all([sessions.liftRestriction(id, 'deletion'), keyStore.forget(id)]);
      return { message: 'account kept' };
    }),
  ];
};
