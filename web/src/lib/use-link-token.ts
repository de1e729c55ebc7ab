import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import useSWR, { type SWRResponse } from 'swr';
import { type Failure, failureOf } from './api/api-error.ts';

/** Whether a mailed link was refused because it has ended. An incomplete one counts as such. */
export const isEndedLink = (failure: Failure | null): boolean =>
  failure !== null && (failure.code === 'identity.link_ended' || failure.code === 'request.invalid');

const tokenIn = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'linkToken' in state && typeof state.linkToken === 'string'
    ? state.linkToken
    : null;

/**
 * The token of a mailed link. It is in the fragment of the address, which browsers send to no server, and moves into the state of the
 * history entry at once, so that no screenshot or copied address contains it, and a reload still has it.
 */
export const useLinkToken = (): string | null => {
  const { pathname, hash, state } = useLocation() as { pathname: string; hash: string; state: unknown };
  const navigate = useNavigate();
  const inAddress = new URLSearchParams(hash.slice(1)).get('token');
  useEffect(() => {
    if (inAddress !== null) void navigate(pathname, { replace: true, state: { linkToken: inAddress } });
  }, [inAddress, navigate, pathname]);
  return inAddress ?? tokenIn(state);
};

/** A link that is checked once; another check could end it. */
const ONCE = { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false };

/** What a mailed link is for, by its token, and whether it has ended. */
export const useLinkQuery = <T>(
  name: string,
  token: string | null,
  read: (token: string) => Promise<T>,
): { query: SWRResponse<T, unknown>; isEnded: boolean } => {
  const query = useSWR<T, unknown>(token === null ? null : [name, token], () => read(token ?? ''), ONCE);
  const failure = query.error === undefined ? null : failureOf(query.error);
  return { query, isEnded: token === null || isEndedLink(failure) };
};
