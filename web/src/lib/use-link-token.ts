import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

const tokenIn = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'linkToken' in state && typeof state.linkToken === 'string'
    ? state.linkToken
    : null;

/**
 * The token of a mailed link. It moves from the address into the state of the history entry at once, so that no screenshot, log or
 * copied address contains it, and a reload still has it.
 */
export const useLinkToken = (): string | null => {
  const { pathname, search, state } = useLocation() as { pathname: string; search: string; state: unknown };
  const navigate = useNavigate();
  const inAddress = new URLSearchParams(search).get('token');
  useEffect(() => {
    if (inAddress !== null) void navigate(pathname, { replace: true, state: { linkToken: inAddress } });
  }, [inAddress, navigate, pathname]);
  return inAddress ?? tokenIn(state);
};
