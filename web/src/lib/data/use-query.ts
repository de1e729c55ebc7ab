import type { Area } from '@shortlist/contracts/api/public';
import type { Audience, PublicEndpoint } from '@shortlist/contracts/api/operation';
import { useCallback } from 'react';
import useSWR from 'swr';
import { mutate, type SWRConfiguration, type SWRResponse, unstable_serialize, useSWRConfig } from 'swr';
import { call } from '../api/call.ts';
import { useAdminToken, useAreaToken, useUserToken } from '../state/hooks.tsx';

/** What a reply says: the content of one that has `data` only. */
type DataOf<Reply> = Reply extends { data: infer Data } ? (keyof Reply extends 'data' ? Data : Reply) : Reply;

const dataOf = (reply: object): unknown =>
  'data' in reply && Object.keys(reply).length === 1 ? reply.data : reply;

/** By which a query is kept in SWR's cache, and found when the data of its area has changed. */
export type QueryKey = readonly [area: Area, token: string, path: string, input: object];

type Tokens = Record<'user' | 'admin' | 'area', string | null>;

const tokenFor = (audience: Audience, { user, admin, area }: Tokens): string | null => {
  if (audience === 'users') return user;
  return audience === 'admins' ? admin : area;
};

/**
 * Reads an endpoint as the user or admin of this page, and again whenever the area's data has changed. Requests nothing without a
 * session, or while the input is null.
 */
export const useQuery = <Input extends object, Reply extends object>(
  area: Area,
  endpoint: PublicEndpoint<Input, Reply>,
  input: Input | null,
  options: SWRConfiguration<DataOf<Reply>> = {},
): SWRResponse<DataOf<Reply>, unknown> => {
  const token = tokenFor(endpoint.to, {
    user: useUserToken(),
    admin: useAdminToken(),
    area: useAreaToken(),
  });
  const key: QueryKey | null = token === null || input === null ? null : [area, token, endpoint.path, input];
  const read = async (): Promise<DataOf<Reply>> =>
    dataOf(await call(endpoint, input as Input, { token })) as DataOf<Reply>;
  return useSWR<DataOf<Reply>, unknown>(key, read, options);
};

/** What a page reads whenever it opens. */
export type Read = { area: Area; endpoint: PublicEndpoint<Record<never, never>, object>; input?: object };

/**
 * Reads ahead of a visit what is not in the cache yet. The page shows it at once, and reads it again. A failure is left to the page.
 */
export const usePrefetch = (): ((reads: readonly Read[]) => void) => {
  const { cache, mutate } = useSWRConfig();
  const [user, admin, area] = [useUserToken(), useAdminToken(), useAreaToken()];
  return useCallback(
    (reads) => {
      for (const { area: dataArea, endpoint, input = {} } of reads) {
        const token = tokenFor(endpoint.to, { user, admin, area });
        if (token === null) continue;
        const key: QueryKey = [dataArea, token, endpoint.path, input];
        const known = cache.get(unstable_serialize(key));
        if (known?.data !== undefined || known?.isValidating) continue;
        const read = call(endpoint, input, { token }).then(dataOf);
        void mutate(key, read, { revalidate: false, throwOnError: false });
      }
    },
    [cache, mutate, user, admin, area],
  );
};

/** Profile and credits contain the plan, and notices are for a plan, so a change of the subscription makes them stale, too. */
const withDependents = (areas: readonly Area[]): Set<string> => {
  const all = new Set<string>(areas);
  if (all.has('subscription')) all.add('profile').add('credits').add('notices');
  return all;
};

/** Loads the data of these areas again as far as it is on the screen. The first element of an SWR key is its area. */
export const revalidate = async (areas: readonly Area[]): Promise<void> => {
  if (areas.length === 0) return;
  const stale = withDependents(areas);
  await mutate((key) => Array.isArray(key) && stale.has(String(key[0])));
};
