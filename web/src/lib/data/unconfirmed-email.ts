import type { EmailView } from '@shortlist/contracts/api/public-emails';
import { readItem, removeItem, writeItem } from '../storage.ts';

const UNCONFIRMED_EMAIL = 'unconfirmedEmail';

/**
 * Remembers an address until it is confirmed, so that the bar about it is part of the first paint of each page and moves nothing
 * when the server has responded.
 */
export const rememberEmail = ({ email, isVerified }: EmailView): void =>
  isVerified ? removeItem(UNCONFIRMED_EMAIL) : writeItem(UNCONFIRMED_EMAIL, email);

export const forgetEmail = (): void => removeItem(UNCONFIRMED_EMAIL);

export const rememberedEmail = (): EmailView | undefined => {
  const email = readItem(UNCONFIRMED_EMAIL);
  return email === null ? undefined : { email, isVerified: false, pendingEmail: null, confirmBy: null };
};
