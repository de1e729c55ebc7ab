import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { EmailView } from '@shortlist/contracts/api/public-emails';
import useSWR from 'swr';
import { call } from '../api/call.ts';
import { useUserToken } from '../state/hooks.ts';

/** The address of the user and whether it is confirmed; undefined until it is known, and without a session. */
export const useEmail = (): EmailView | undefined => {
  const token = useUserToken();
  const { data } = useSWR(token === null ? null : ['profile', token, 'email'], () =>
    call(publicEndpoints.email, {}, { token }),
  );
  return data?.data;
};
