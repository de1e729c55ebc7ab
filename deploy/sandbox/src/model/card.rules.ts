/**
 * The test cards of https://docs.stripe.com/testing. The customer makes the first payment on the checkout page; the
 * provider makes later payments off session. 4000000000000341 succeeds on the first payment and fails on later ones.
 * 4000002500003155 requires authentication for the first payment only, 4000002760003184 for every payment.
 * Every other well-formed number is declined, like a real card in test mode.
 */
export type CardEntry = {
  number: string;
  expMonth: number;
  expYear: number;
  cvc: string;
  name: string | null;
};

export type Decline = {
  code: string;
  decline_code?: string;
  param?: string;
  message: string;
};

export type PaymentMoment = 'first' | 'later';

const ACCEPTED_CARDS = new Set([
  '4242424242424242',
  '4000056655665556',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
]);
const AUTHENTICATED_ONCE = '4000002500003155';
const AUTHENTICATED_ALWAYS = '4000002760003184';
const FAILS_LATER = '4000000000000341';

const GENERIC_DECLINE: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};

const DECLINES = new Map<string, Decline>([
  ['4000000000000002', GENERIC_DECLINE],
  [
    '4000000000009995',
    {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  ],
  [
    '4000000000000069',
    { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  ],
]);

const LIVE_CARD_DECLINE: Decline = {
  code: 'card_declined',
  decline_code: 'test_mode_live_card',
  message:
    'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
};

const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

export const mayRequireAuthentication = (number: string): boolean =>
  number === AUTHENTICATED_ONCE || number === AUTHENTICATED_ALWAYS;

const requiresAuthentication = (number: string, moment: PaymentMoment): boolean =>
  number === AUTHENTICATED_ALWAYS || (number === AUTHENTICATED_ONCE && moment === 'first');

/** Returns the bank's decline, or null when the payment succeeds. */
export const findDecline = (
  number: string,
  moment: PaymentMoment,
  isAuthenticated: boolean,
): Decline | null => {
  if (requiresAuthentication(number, moment)) return isAuthenticated ? null : AUTHENTICATION_REQUIRED;
  if (ACCEPTED_CARDS.has(number) || number === AUTHENTICATED_ONCE) return null;
  if (number === FAILS_LATER) return moment === 'first' ? null : GENERIC_DECLINE;
  return DECLINES.get(number) ?? LIVE_CARD_DECLINE;
};

export const isLuhnValid = (number: string): boolean => {
  if (!/^\d{12,19}$/.test(number)) return false;
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};

const expiryProblem = ({ expMonth, expYear }: CardEntry, now: number): Decline | null => {
  if (!(expMonth >= 1 && expMonth <= 12)) {
    return {
      code: 'invalid_expiry_month',
      param: 'exp_month',
      message: "Your card's expiration month is invalid.",
    };
  }
  const isPast = Date.UTC(expYear, expMonth, 1) / 1000 <= now;
  if (isPast) {
    return {
      code: 'invalid_expiry_year',
      param: 'exp_year',
      message: "Your card's expiration is in the past.",
    };
  }
  const isFarAway = !(expYear < new Date(now * 1000).getUTCFullYear() + 50);
  return isFarAway
    ? { code: 'invalid_expiry_year', param: 'exp_year', message: "Your card's expiration year is invalid." }
    : null;
};

export const brandOf = (number: string): string => {
  if (/^3[47]/.test(number)) return 'amex';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  return number.startsWith('4') ? 'visa' : 'unknown';
};

const cvcProblem = ({ number, cvc }: CardEntry): Decline | null => {
  const digits = brandOf(number) === 'amex' ? 4 : 3;
  if (/^\d+$/.test(cvc) && cvc.length === digits) return null;
  return {
    code: 'invalid_cvc',
    param: 'cvc',
    message: `Your card's security code is incomplete: it has ${digits} digits.`,
  };
};

/** Returns the first error in the card details, or null. `now` is in seconds. */
export const validateCard = (card: CardEntry, now: number): Decline | null => {
  if (!isLuhnValid(card.number)) {
    return { code: 'incorrect_number', param: 'number', message: 'Your card number is incorrect.' };
  }
  return expiryProblem(card, now) ?? cvcProblem(card);
};

export const digitsOf = (text: string): string => text.replaceAll(/[\s-]/g, '');
