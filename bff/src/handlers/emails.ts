import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { VerifiedAction } from '@shortlist/contracts/limits';
import { mailedCode, mailedToken } from '@shortlist/contracts/schemas/password';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import Joi from 'joi';
import { handled, type PublicEndpoint } from '../http/endpoint.ts';
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

const none = Joi.object<Record<never, never>>({});

const userIdOf = ({ userId }: Caller): string => {
  if (userId === null) throw createError('session.missing');
  return userId;
};

export const emailEndpoints = ({
  services,
  log,
  resetLimits,
  resendLimits,
  deviceCookie,
}: Parts): PublicEndpoint[] => [
  handled(publicEndpoints.email, {
    roles: ['user'],
    input: none,
    handle: ({ caller }) => services.identity(identityEndpoints.email, { id: userIdOf(caller) }, { caller }),
  }),

  handled(publicEndpoints.verifyEmail, {
    roles: ['anonymous', 'user', 'admin'],
    permission: 'own_account',
    input: Joi.object<{ token: string }, true>({ token: mailedToken }),
    handle: async ({ input, address, ...exchange }) => {
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
    },
  }),

  handled(publicEndpoints.verifyEmailCode, {
    roles: ['user'],
    input: Joi.object<{ code: string }, true>({ code: mailedCode }),
    handle: async ({ input: { code }, caller, address }) => {
      await resetLimits.consumeUse(address);
      const input = { id: userIdOf(caller), code };
      const { data } = await services.identity(identityEndpoints.verifyEmailCode, input, { caller });
      return { data: { email: data.email } };
    },
  }),

  handled(publicEndpoints.resendVerification, {
    roles: ['user'],
    input: none,
    status: 202,
    handle: async ({ caller }) => {
      const id = userIdOf(caller);
      await resendLimits.consume(id);
      await services.identity(identityEndpoints.requestVerification, { id }, { caller });
      return { message: 'requested' };
    },
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
