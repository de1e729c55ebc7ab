import { readableEmail } from '@shortlist/contracts/unicode';
import { type OwnEmail, SUPPRESSION_KINDS } from '@shortlist/contracts/api/email';
import type { UserView } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { call } from '../api/call.ts';
import { sessions } from '../state/sessions.ts';
import { useAppDispatch, useSession, useUserToken } from '../state/hooks.tsx';
import { readItem, removeItem, writeItem } from '../storage.ts';
import { useQuery } from './use-query.ts';
import useSWR from 'swr';

const userKey = (token: string) => ['profile', token] as const;

/** The logged-in user. Each response also refreshes the remaining time of the session. */
export const useUser = (options: { refreshInterval?: number } = {}) => {
  const { isLoggedIn, token, user: known } = useSession('user');
  const dispatch = useAppDispatch();
  const fetchUser = async (): Promise<UserView> => {
    if (token === null) throw new Error('No user is logged in.');
    const { user, remainingTime } = await call(publicEndpoints.checkUser, {}, { token });
    dispatch(sessions.refreshed('user', { token, remainingTime, user }));
    return user;
  };
  return useSWR<UserView, unknown>(isLoggedIn && token !== null ? userKey(token) : null, fetchUser, {
    ...(known === null ? {} : { fallbackData: known }),
    refreshInterval: options.refreshInterval ?? 0,
  });
};

const UNCONFIRMED_EMAIL = 'unconfirmedEmail';

/**
 * Remembers an address that needs its user, so that the bar about it is part of the first paint of each page and moves nothing when the server
 * has responded: until when it can be confirmed, and to which address no mail goes.
 */
const rememberEmail = ({ email, isVerified, confirmBy, pendingEmail, suppression }: OwnEmail): void => {
  const words = [email, confirmBy, pendingEmail, isVerified, suppression?.kind, suppression?.email];
  if (isVerified && suppression === null) removeItem(UNCONFIRMED_EMAIL);
  else writeItem(UNCONFIRMED_EMAIL, words.join(' '));
};

export const forgetEmail = (): void => removeItem(UNCONFIRMED_EMAIL);

const rememberedEmail = (): OwnEmail | undefined => {
  const text = readItem(UNCONFIRMED_EMAIL);
  if (text === null) return undefined;
  const [email = '', confirmBy, pendingEmail, isVerified, kindName, suppressed = email] = text.split(' ');
  const kind = SUPPRESSION_KINDS.find((name) => name === kindName);
  return {
    email,
    isVerified: isVerified === 'true',
    pendingEmail: pendingEmail || null,
    confirmBy: confirmBy || null,
    suppression: kind === undefined ? null : { email: suppressed, kind },
  };
};

/** Reads the address of the user and whether it is confirmed. */
export const loadEmail = async (token: string): Promise<OwnEmail> => {
  const { data } = await call(publicEndpoints.email, {}, { token });
  rememberEmail(data);
  return data;
};

/** The address of the user and whether it is confirmed; undefined until it is known, and without a session. */
export const useEmail = (): OwnEmail | undefined => {
  const token = useUserToken();
  const { data } = useSWR(token === null ? null : ['profile', token, 'email'], ([, key]) => loadEmail(key));
  return token === null ? undefined : (data ?? rememberedEmail());
};

/** The admin of this browser. */
export const useOwnAdmin = () => useQuery('security', publicEndpoints.ownAdmin, {});

type Admin = { name: string | null; email: string };

/** The name of an admin; the address until there is one. */
export const adminName = ({ name, email }: Admin): string => name ?? readableEmail(email);

/** The words whose initials stand for a picture; those of the address until there is a name. */
export const initialsOf = ({ name, email }: Admin): string =>
  name ?? email.replace(/@.*/, '').replace(/[._+-]+/g, ' ');
