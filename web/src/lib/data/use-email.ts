import type { EmailView } from '@shortlist/contracts/api/email';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import useSWR from 'swr';
import { call } from '../api/call.ts';
import { useUserToken } from '../state/hooks.tsx';
import { readItem, removeItem, writeItem } from '../storage.ts';

const UNCONFIRMED_EMAIL = 'unconfirmedEmail';

/**
 * Remembers an address, and until when it can be confirmed, so that the bar about it is part of the first paint of each page and moves nothing
 * when the server has responded.
 */
const rememberEmail = ({ email, isVerified, confirmBy, pendingEmail }: EmailView): void =>
  isVerified
    ? removeItem(UNCONFIRMED_EMAIL)
    : writeItem(UNCONFIRMED_EMAIL, [email, confirmBy, pendingEmail].join(' '));

export const forgetEmail = (): void => removeItem(UNCONFIRMED_EMAIL);

const rememberedEmail = (): EmailView | undefined => {
  const text = readItem(UNCONFIRMED_EMAIL);
  if (text === null) return undefined;
  const [email = '', confirmBy, pendingEmail] = text.split(' ');
  return { email, isVerified: false, pendingEmail: pendingEmail || null, confirmBy: confirmBy || null };
};

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
