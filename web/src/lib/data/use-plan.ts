import { publicEndpoints, type CreditsView, type SubscriptionView } from '@shortlist/contracts/api/public';
import useSWR from 'swr';
import { call } from '../api/call.ts';
import { useUserToken } from '../state/hooks.ts';

export const useSubscription = () => {
  const token = useUserToken();
  return useSWR<SubscriptionView, unknown>(token === null ? null : ['subscription', token], async () => {
    const { data } = await call(publicEndpoints.subscription, {}, { token });
    return data;
  });
};

/** What rendering a value of the subscription needs. */
export type SubscriptionQuery = Pick<ReturnType<typeof useSubscription>, 'data' | 'error'>;

export const useCredits = () => {
  const token = useUserToken();
  return useSWR<CreditsView, unknown>(token === null ? null : ['credits', token], () =>
    call(publicEndpoints.credits, {}, { token }),
  );
};
