import {
  type DirectoryPage,
  type DirectoryRow,
  type DirectoryTotals,
  publicEndpoints,
  type UserView,
} from '@shortlist/contracts/api/public';
import type { DirectoryQuery } from '@shortlist/contracts/directory';
import { ERRORS } from '@shortlist/contracts/errors';
import useSWR from 'swr';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { useAdminToken } from '../state/hooks.tsx';

/** One page of the directory. The previous page's rows remain while the next page loads. */
export const useDirectory = (query: DirectoryQuery) => {
  const token = useAdminToken();
  const key = token === null ? null : ['directory', token, 'list', JSON.stringify(query)];
  return useSWR<DirectoryPage, unknown>(key, () => call(publicEndpoints.listUsers, query, { token }), {
    keepPreviousData: true,
  });
};

/** The numbers of all users. Without `isNeeded` they are not requested. */
export const useDirectoryTotals = (isNeeded = true) => {
  const token = useAdminToken();
  const key = token === null || !isNeeded ? null : ['directory', token, 'totals'];
  return useSWR<DirectoryTotals, unknown>(
    key,
    async () => (await call(publicEndpoints.userTotals, {}, { token })).data,
  );
};

export const useNewest = (limit: number) => {
  const token = useAdminToken();
  const key = token === null ? null : ['directory', token, 'newest', limit];
  return useSWR<DirectoryRow[], unknown>(
    key,
    async () => (await call(publicEndpoints.newestUsers, { limit }, { token })).data,
  );
};

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A user id from the URL may be any text, of which a part such as `..` would lead to another endpoint. */
const assertId = (id: string): void => {
  const code = 'profile.not_found';
  const [status, message] = ERRORS[code];
  if (!ID.test(id)) throw new ApiError({ status, code, message, fields: {}, requestId: null });
};

export const useUserById = (id: string | null) => {
  const token = useAdminToken();
  const key = token === null || id === null ? null : ['directory', token, 'user', id];
  return useSWR<UserView, unknown>(key, async () => {
    assertId(id ?? '');
    return (await call(publicEndpoints.getUser, { id: id ?? '' }, { token })).data;
  });
};
