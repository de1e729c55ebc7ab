import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import type { Caller } from '@shortlist/kit/http/service-token';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Attempt, LoginLimits } from '../limits/login-limits.ts';
import { SERVICE_CALLER, type Services } from '../upstream/services.ts';

/** `words`: what a password must not equal, beside the address. Admins have no profile. */
export type OwnAccount = { id: string; email: string; words: string[] };

export const getUserWords = async (services: Services, id: string): Promise<string[]> => {
  const { data } = await services.profile(profileEndpoints.getProfile, { id }, { caller: SERVICE_CALLER });
  return [data.firstName, data.lastName];
};

/** The account of the caller's session. */
export const getOwnAccount = async (services: Services, caller: Caller): Promise<OwnAccount> => {
  const { userId: id, role } = caller;
  if (id === null) throw createError('session.missing');
  if (role === 'admin') {
    const { data } = await services.identity(identityEndpoints.adminEmails, { ids: id }, { caller });
    return { id, email: data[0]?.email ?? '', words: [] };
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
