import { LOCALE } from '@shortlist/contracts/messages';

/** Empty for a missing time. */
export const date = (iso: string | undefined): string =>
  iso === undefined || iso === ''
    ? ''
    : new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
        new Date(iso),
      ) + ' UTC';

/** An amount in minor units as Stripe charged it; some currencies have no minor unit. */
export const money = ({ amount = '0', currency = 'usd' }: Record<string, string>): string => {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(Number(amount) / 10 ** maximumFractionDigits);
};
