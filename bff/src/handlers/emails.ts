import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { VerifiedAction } from '@shortlist/contracts/limits';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { composed, type Route } from '../http/endpoint.ts';
import type { DeviceCookie } from '../limits/device-cookie.ts';
import type { ResendLimits, ResetLimits } from '../limits/mail-limits.ts';
import { ANONYMOUS, type Services } from '../upstream/services.ts';
import { createProfile } from './sign-up.ts';

type Parts = {
  services: Services;
  log: Log;
  resetLimits: ResetLimits;
  resendLimits: ResendLimits;
  deviceCookie: DeviceCookie;
};

export const emailEndpoints = ({
  services,
  log,
  resetLimits,
  resendLimits,
  deviceCookie,
}: Parts): Route[] => [
  composed(publicEndpoints.verifyEmail, async ({ input, address, ...exchange }) => {
    await resetLimits.consumeUse(address);
    // A user's own session shows that the reader of the mail is the user; an admin's shows nothing.
    const caller = exchange.caller.role === 'user' ? exchange.caller : ANONYMOUS;
    const { data } = await services.identity(identityEndpoints.verifyEmail, input, { caller });
    if (data.registered !== undefined) {
      // A browser that knew the account before this one knows it no longer.
      await deviceCookie.endAll(data.email);
      await createProfile({ services, log }, data.registered);
    }
    return { data: { email: data.email } };
  }),

  composed(publicEndpoints.verifyEmailCode, async ({ input: { code }, caller, userId: id, address }) => {
    await resetLimits.consumeUse(address);
    const input = { id, code };
    const { data } = await services.identity(identityEndpoints.verifyEmailCode, input, { caller });
    return { data: { email: data.email } };
  }),

  composed(publicEndpoints.resendVerification, async ({ caller, userId: id }) => {
    await resendLimits.consume(id);
    await services.identity(identityEndpoints.requestVerification, { id }, { caller });
    return { message: 'requested' };
  }),
];

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
