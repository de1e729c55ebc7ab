import type { EmailView } from '@shortlist/contracts/api/identity';
import { readItem, removeItem, writeItem } from '../storage.ts';

const UNCONFIRMED_EMAIL = 'unconfirmedEmail';

/**
 * Remembers an address, and until when it can be confirmed, so that the bar about it is part of the first paint of each page and moves nothing
 * when the server has responded.
 */
export const rememberEmail = ({ email, isVerified, confirmBy }: EmailView): void =>
  isVerified ? removeItem(UNCONFIRMED_EMAIL) : writeItem(UNCONFIRMED_EMAIL, `${email} ${confirmBy ?? ''}`);

export const forgetEmail = (): void => removeItem(UNCONFIRMED_EMAIL);

export const rememberedEmail = (): EmailView | undefined => {
  const text = readItem(UNCONFIRMED_EMAIL);
  if (text === null) return undefined;
  const [email = '', confirmBy = ''] = text.split(' ');
  return { email, isVerified: false, pendingEmail: null, confirmBy: confirmBy === '' ? null : confirmBy };
};
