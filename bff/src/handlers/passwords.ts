import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { asService } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { endAccess, type KeyStore } from '../api-keys/key-store.ts';
import { composed, type Exchange, type Route } from '../http/endpoint.ts';
import type { Limits } from '../limits/limits.ts';
import type { Attempt, DeviceCookie, LoginLimits } from '../limits/login-limits.ts';
import { assertPasswordSuffices, type Proofs } from '../proofs/proofs.ts';
import type { Sessions } from '../session/sessions.ts';
import { ANONYMOUS, HASH_TIMEOUT_MS, type Services } from '../services.ts';

export type NewPasswordParts = { limits: Limits; deviceCookie: DeviceCookie };

/**
 * What a new password changes for the log-ins of its address: failures of others are forgotten, browsers that were known are unknown
 * again, and the next request for a link causes a mail. `ownExchange`: of the user's session, whose browser stays known.
 */
export const applyNewPassword = async (
  { limits, deviceCookie }: NewPasswordParts,
  email: string,
  ownExchange?: Pick<Exchange, 'request' | 'response'>,
): Promise<void> => {
  const known = ownExchange === undefined ? null : await deviceCookie.find(ownExchange.request, email);
  await deviceCookie.endAll(email);
  if (ownExchange !== undefined) {
    const { passwords } = await deviceCookie.read(ownExchange.request, email);
    deviceCookie.renew(ownExchange, email, { name: known, passwords });
  }
  await limits.logIn.unlock(email);
  await limits.reset.passwordChanged(email);
};

/** `words`: what a password must not equal, beside the address. Admins have no profile. */
type OwnAccount = { id: string; email: string; words: string[] };

export const getUserWords = async (services: Services, id: string): Promise<string[]> => {
  const { data } = await services.profile(profileEndpoints.getProfile, { id }, asService());
  return [data.firstName, data.lastName];
};

/** The account of the caller's session. */
export const getOwnAccount = async (services: Services, caller: Caller): Promise<OwnAccount> => {
  const { userId: id, role } = caller;
  if (id === null) throw createError('session.missing');
  if (role === 'admin') {
    const { data } = await services.identity(identityEndpoints.getAdmin, { id }, { caller });
    return { id, email: data.email, words: [] };
  }
  const { data } = await services.profile(profileEndpoints.getProfile, { id }, { caller });
  return { id, email: data.email, words: [data.firstName, data.lastName] };
};

/**
 * Runs work that compares the current password. A wrong one counts like a log-in that failed on a known device: with the account's
 * id as `device`, all sessions of the account share one count, and guesses of others do not hold up its user.
 */
export const countCurrentPassword = async <T>(
  limits: LoginLimits,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> => {
  await limits.consume(attempt);
  try {
    const result = await work();
    await limits.succeeded(attempt);
    return result;
  } catch (error) {
    const isWrong = error instanceof AppError && error.code === 'identity.current_password_wrong';
    if (!isWrong) await limits.refund(attempt);
    throw error;
  }
};

type Parts = NewPasswordParts & {
  services: Services;
  sessions: Sessions;
  keyStore: KeyStore;
  clock: Clock;
  proofs: Proofs;
};

const requestEndpoint = ({ services, limits, deviceCookie }: Parts): Route =>
  composed(publicEndpoints.forgotPassword, async ({ input: { email }, request, address }) => {
    const device = await deviceCookie.find(request, email);
    if (await limits.reset.countRequest({ email, address, device }))
      await services.identity(identityEndpoints.requestPasswordReset, { email }, { caller: ANONYMOUS });
    return { message: 'requested' };
  });

const resetEndpoints = (parts: Parts): Route[] => {
  const { services, limits } = parts;
  return [
    composed(publicEndpoints.checkReset, async ({ input, address }) => {
      await limits.reset.consumeUse(address);
      const caller = ANONYMOUS;
      const { data } = await services.identity(identityEndpoints.checkPasswordReset, input, { caller });
      return { data: { email: data.email, isAdmin: data.role === 'admin' } };
    }),

    // Begins no session: the link alone does not log in.
    composed(publicEndpoints.resetPassword, async ({ input, address }) => {
      await limits.reset.consumeUse(address);
      const caller = { ...ANONYMOUS, address }; // for the audit log
      const { data: account } = await services.identity(
        identityEndpoints.checkPasswordReset,
        { token: input.token },
        { caller },
      );
      const words = account.role === 'user' ? await getUserWords(services, account.userId) : [];
      const { data } = await services.identity(
        identityEndpoints.resetPassword,
        { ...input, words },
        { caller, timeoutMs: HASH_TIMEOUT_MS },
      );
      // Keys that another person had made before the owner took the account no longer work.
      await endAccess(parts, data.userId, data.generation);
      await applyNewPassword(parts, data.email);
      return { message: 'password set' };
    }),
  ];
};

const changeEndpoint = (parts: Parts): Route => {
  const { services, sessions, limits } = parts;
  return composed(
    publicEndpoints.changePassword,
    async ({ input, caller, address, session, ...exchange }) => {
      await assertPasswordSuffices(parts, session);
      const { id, email, words } = await getOwnAccount(services, caller);
      const { generation } = await countCurrentPassword(limits.logIn, { email, address, device: id }, () =>
        services.identity(
          identityEndpoints.changePassword,
          { ...input, id, words, keptSessionId: session.id },
          { caller, timeoutMs: HASH_TIMEOUT_MS },
        ),
      );
      await sessions.endAllBefore(id, generation, session.id);
      await applyNewPassword(parts, email, exchange);
      return { message: 'password changed' };
    },
  );
};

export const passwordEndpoints = (parts: Parts): Route[] => [
  requestEndpoint(parts),
  ...resetEndpoints(parts),
  changeEndpoint(parts),
];
