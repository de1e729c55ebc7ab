import { identityEndpoints } from '@shortlist/contracts/api/identity';
import type { VerifiedAction } from '@shortlist/contracts/limits';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Services } from '../upstream/services.ts';

/** Throws `identity.email_unverified` when the action requires a confirmed address and the caller has none. */
export type AssertVerified = (action: VerifiedAction, caller: Caller) => Promise<void>;

export const createAssertVerified =
  (services: Services, required: readonly string[]): AssertVerified =>
  async (action, caller) => {
    if (!required.includes(action)) return;
    const { data } = await services.identity(
      identityEndpoints.email,
      { id: caller.userId ?? '' },
      { caller },
    );
    if (!data.isVerified) throw createError('identity.email_unverified');
  };
