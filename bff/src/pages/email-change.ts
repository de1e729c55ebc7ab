import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEmailChangeEndpoints } from '@shortlist/contracts/api/public-account';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { loginPassword } from '@shortlist/contracts/schemas/password';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { ChangeLimits } from '../limits/change-limits.ts';
import type { LoginLimits } from '../limits/login-limits.ts';
import { assertRecent } from '../http/access.ts';
import { handled } from '../http/endpoint.ts';
import type { PublicEndpoint } from '../http/endpoint.ts';
import { assertPasswordSuffices } from '../proofs/assert-password-suffices.ts';
import type { Proofs } from '../proofs/proofs.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../upstream/services.ts';
import { HASH_TIMEOUT_MS } from '../upstream/time-limits.ts';
import { countCurrentPassword, getOwnAccount } from './own-account.ts';

type Parts = {
  services: Services;
  loginLimits: LoginLimits;
  changeLimits: ChangeLimits;
  clock: Clock;
  proofs: Proofs;
};

const roles = ['user'] as const;
const none = Joi.object<Record<never, never>>({});

const currentSession = (session: Session | null): Session => {
  if (session === null) throw createError('session.missing');
  return session;
};

const requestEndpoint = (parts: Parts): PublicEndpoint => {
  const { services, loginLimits, changeLimits } = parts;
  return handled(publicEmailChangeEndpoints.requestEmailChange, {
    roles,
    input: Joi.object<{ email: string; currentPassword?: string }, true>({
      email: emailSchema,
      currentPassword: loginPassword.optional(),
    }),
    status: 202,
    handle: async ({ input, caller, address, ...exchange }) => {
      const session = currentSession(exchange.session);
      const { id, email } = await getOwnAccount(services, caller);
      if (input.currentPassword === undefined) assertRecent(session, parts.clock);
      else await assertPasswordSuffices(parts, session);
      const request = () =>
        services.identity(
          identityEndpoints.requestEmailChange,
          { id, ...input },
          { caller, timeoutMs: HASH_TIMEOUT_MS },
        );
      await changeLimits.count({ id, email: input.email, address }, () =>
        input.currentPassword === undefined
          ? request()
          : countCurrentPassword(loginLimits, { email, address, device: id }, request),
      );
      return { message: 'requested' };
    },
  });
};

/** A request to change the address, and what its user can do until the new one is confirmed. */
export const emailChangeEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { services, changeLimits } = parts;
  return [
    requestEndpoint(parts),

    handled(publicEmailChangeEndpoints.resendEmailChange, {
      roles,
      input: none,
      status: 202,
      handle: async ({ caller, address, session }) => {
        const { userId: id } = currentSession(session);
        const { data } = await services.identity(identityEndpoints.email, { id }, { caller });
        const { pendingEmail } = data;
        if (pendingEmail !== null)
          await changeLimits.count({ id, email: pendingEmail, address }, () =>
            services.identity(identityEndpoints.resendEmailChange, { id }, { caller }),
          );
        return { message: 'requested' };
      },
    }),

    handled(publicEmailChangeEndpoints.cancelEmailChange, {
      roles,
      input: none,
      handle: async ({ caller, session }) => {
        const { userId: id } = currentSession(session);
        await services.identity(identityEndpoints.cancelEmailChange, { id }, { caller });
        return { message: 'canceled' };
      },
    }),
  ];
};
