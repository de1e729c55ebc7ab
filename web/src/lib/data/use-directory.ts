import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { DirectoryQuery } from '@shortlist/contracts/api/directory';
import { ERRORS } from '@shortlist/contracts/errors';
import { USER_ID } from '@shortlist/contracts/limits';
import { ApiError } from '../api/api-error.ts';
import { useQuery } from './use-query.ts';

/** One page of the directory. The previous page's rows remain while the next page loads. */
export const useDirectory = (query: DirectoryQuery | null) =>
  useQuery('directory', publicEndpoints.listUsers, query, { keepPreviousData: true });

/** The numbers of all users. Without `isNeeded` they are not requested. */
export const useDirectoryTotals = (isNeeded = true) =>
  useQuery('directory', publicEndpoints.userTotals, isNeeded ? {} : null);

export const useNewest = (limit: number) => useQuery('directory', publicEndpoints.newestUsers, { limit });

const notFound = (): ApiError => {
  const code = 'profile.not_found';
  const [status, message] = ERRORS[code];
  return new ApiError({ status, code, message, fields: {}, requestId: null });
};

/** The input for the id of a URL, which may be any text: a part such as `..` would lead to another endpoint. */
const inputOf = (id: string | null): { id: string } | null =>
  id !== null && USER_ID.test(id.toLowerCase()) ? { id } : null;

/** A user by the id of a URL. */
export const useUserById = (id: string | null) => {
  const query = useQuery('directory', publicEndpoints.getUser, inputOf(id));
  return id === null || inputOf(id) !== null ? query : { ...query, error: notFound() };
};

/** The profile of a user by the id of a URL, which needs no other service. */
export const useProfileById = (id: string | null) => {
  const query = useQuery('directory', publicEndpoints.userProfile, inputOf(id));
  return id === null || inputOf(id) !== null ? query : { ...query, error: notFound() };
};
