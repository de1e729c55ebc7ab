import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import useSWR from 'swr';
import { call } from '../api/call.ts';
import { endUserAuth } from '../state/auth.ts';
import { useAppDispatch, useAppSelector } from '../state/hooks.tsx';

const userKey = (token: string) => ['profile', token] as const;

/** The logged-in user. Each response also refreshes the remaining time of the session. */
export const useUser = (options: { refreshInterval?: number } = {}) => {
  const { endUserToken: token, endUserInfo } = useAppSelector((state) => state.endUserAuth);
  const isIn = useAppSelector((state) => state.endUserAuth.isEndUserLoggedIn);
  const dispatch = useAppDispatch();
  const fetchUser = async (): Promise<UserView> => {
    if (token === null) throw new Error('No user is logged in.');
    const { user, remainingTime } = await call(publicEndpoints.checkUser, {}, { token });
    dispatch(endUserAuth.refreshed({ token, remainingTime, user }));
    return user;
  };
  return useSWR<UserView, unknown>(isIn && token !== null ? userKey(token) : null, fetchUser, {
    ...(endUserInfo === null ? {} : { fallbackData: endUserInfo }),
    refreshInterval: options.refreshInterval ?? 0,
  });
};
