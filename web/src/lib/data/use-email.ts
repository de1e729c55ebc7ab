import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { EmailView } from '@shortlist/contracts/api/identity';
import useSWR from 'swr';
import { call } from '../api/call.ts';
import { useUserToken } from '../state/hooks.ts';
import { rememberedEmail, rememberEmail } from './unconfirmed-email.ts';

/** Reads the address of the user and whether it is confirmed. */
export const loadEmail = async (token: string): Promise<EmailView> => {
  const { data } = await call(publicEndpoints.email, {}, { token });
  rememberEmail(data);
  return data;
};

/** The address of the user and whether it is confirmed; undefined until it is known, and without a session. */
export const useEmail = (): EmailView | undefined => {
  const token = useUserToken();
  const { data } = useSWR(token === null ? null : ['profile', token, 'email'], ([, key]) => loadEmail(key));
  return token === null ? undefined : (data ?? rememberedEmail());
};
