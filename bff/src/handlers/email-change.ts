import { type ChangedEmail, identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEmailChangeEndpoints } from '@shortlist/contracts/api/public-account';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { loginPassword, mailedCode, mailedToken } from '@shortlist/contracts/schemas/password';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import Joi from 'joi';
import { assertRecent } from '../http/access.ts';
import { type Exchange, handled, type PublicEndpoint } from '../http/endpoint.ts';
import type { DeviceCookie } from '../limits/device-cookie.ts';
import type { LoginLimits } from '../limits/login-limits.ts';
import type { ChangeLimits, ResetLimits } from '../limits/mail-limits.ts';
import { assertPasswordSuffices, type Proofs } from '../proofs/proofs.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import { ANONYMOUS, HASH_TIMEOUT_MS, SERVICE_CALLER, type Services } from '../upstream/services.ts';
import { countCurrentPassword, getOwnAccount } from './passwords.ts';

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

type LinkParts = {
  services: Services;
  sessions: Sessions;
  resetLimits: ResetLimits;
  deviceCookie: DeviceCookie;
  log: Log;
};

const anyCaller = ['anonymous', 'user', 'admin'] as const;
const withToken = Joi.object<{ token: string }, true>({ token: mailedToken });

/** Updates profile's copy ahead of its event, so that the next read shows the new address. */
const storeCopy = async (
  { services, log }: LinkParts,
  { userId: id, email, version }: ChangedEmail,
): Promise<void> => {
  await services
    .profile(profileEndpoints.storeEmail, { id, email, version }, { caller: SERVICE_CALLER })
    .catch((error: unknown) => log.warn({ err: error }, 'email copy not stored; its event will update it'));
};

/** The other sessions end. The browser that has confirmed is a known one of the new address. */
const complete = async (
  parts: LinkParts,
  { session, request, response }: Exchange,
  changed: ChangedEmail,
): Promise<{ data: { email: string } }> => {
  const { sessions, deviceCookie } = parts;
  const isOwn = session?.userId === changed.userId;
  await sessions.endAllBefore(changed.userId, changed.generation, isOwn ? session.id : '');
  if (isOwn) {
    const client = await deviceCookie.read(request, changed.email);
    deviceCookie.renew({ request, response }, changed.email, client);
  }
  await storeCopy(parts, changed);
  return { data: { email: changed.email } };
};

const confirmEndpoints = (parts: LinkParts): PublicEndpoint[] => {
  const { services, resetLimits } = parts;
  return [
    handled(publicEmailChangeEndpoints.confirmEmailChange, {
      roles: anyCaller,
      permission: 'own_account',
      input: withToken,
      handle: async ({ input, ...exchange }) => {
        const { address } = exchange;
        await resetLimits.consumeUse(address);
        // The address is for the audit log.
        const caller = exchange.caller.role === 'user' ? exchange.caller : { ...ANONYMOUS, address };
        const ofSession = exchange.session === null ? {} : { keptSessionId: exchange.session.id };
        const { data } = await services.identity(
          identityEndpoints.confirmEmailChange,
          { ...input, ...ofSession },
          { caller },
        );
        return complete(parts, exchange, data);
      },
    }),

    handled(publicEmailChangeEndpoints.confirmEmailChangeCode, {
      roles: ['user'],
      input: Joi.object<{ code: string }, true>({ code: mailedCode }),
      handle: async ({ input: { code }, ...exchange }) => {
        const { caller, address } = exchange;
        await resetLimits.consumeUse(address);
        if (exchange.session === null) throw createError('session.missing');
        const input = { id: exchange.session.userId, code, keptSessionId: exchange.session.id };
        const { data } = await services.identity(identityEndpoints.confirmEmailChangeCode, input, { caller });
        return complete(parts, exchange, data);
      },
    }),
  ];
};

const undoEndpoints = (parts: LinkParts): PublicEndpoint[] => {
  const { services, sessions, resetLimits } = parts;
  return [
    handled(publicEmailChangeEndpoints.checkEmailUndo, {
      roles: anyCaller,
      permission: 'own_account',
      input: withToken,
      handle: async ({ input, address }) => {
        await resetLimits.consumeUse(address);
        const caller = ANONYMOUS;
        const { data } = await services.identity(identityEndpoints.checkEmailUndo, input, { caller });
        return { data: { email: data.email, isConfirmed: data.isConfirmed } };
      },
    }),

    handled(publicEmailChangeEndpoints.undoEmailChange, {
      roles: anyCaller,
      permission: 'own_account',
      input: withToken,
      handle: async ({ input, address }) => {
        await resetLimits.consumeUse(address);
        const caller = { ...ANONYMOUS, address }; // for the audit log
        const { data } = await services.identity(identityEndpoints.undoEmailChange, input, { caller });
        await sessions.endAllBefore(data.userId, data.generation);
        await storeCopy(parts, data);
        return { data: { email: data.email, removed: data.removed } };
      },
    }),
  ];
};

/** What the links and the code of a change's mails do. */
export const emailChangeLinkEndpoints = (parts: LinkParts): PublicEndpoint[] => [
  ...confirmEndpoints(parts),
  ...undoEndpoints(parts),
];
