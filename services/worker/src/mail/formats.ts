// Formats of values in emails.
import { formatMoney, LOCALE } from '@shortlist/contracts/messages';

const TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const LIST = new Intl.ListFormat(LOCALE);

/** Empty for a missing time. */
export const date = (iso: string | undefined): string =>
  iso === undefined || iso === '' ? '' : `${TIME.format(new Date(iso))} UTC`;

/** Only the day. */
export const day = (iso: string): string => DAY.format(new Date(iso));

/** Several things in one sentence: 'a, b, and c'. */
export const list = (things: readonly string[]): string => LIST.format(things);

/** A month, such as 2026-11. */
export const month = (iso: string): string => MONTH.format(new Date(`${iso}-01`));

/** An amount in minor units as Stripe charged it. */
export const money = ({ amount, currency }: { amount: string; currency: string }): string =>
  formatMoney({ amount: Number(amount), currency });
