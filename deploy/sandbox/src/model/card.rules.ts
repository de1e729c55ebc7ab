/**
 * The test cards of https://docs.stripe.com/testing and what each does. A first payment is made by the person at the
 * page; a later one by the provider while nobody is there. 4000000000000341 is taken at first and fails later.
 * 4000002500003155 is confirmed once and then works by itself; 4000002760003184 wants its owner every time.
 * Any other number that is well formed is declined, as a real card would be in test mode.
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

export type Moment = 'first' | 'later';

const accepted = new Set([
  '4242424242424242',
  '4000056655665556',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
]);
const confirmedOnce = '4000002500003155';
const confirmedAlways = '4000002760003184';
const failsLater = '4000000000000341';

const genericDecline: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};

const declines = new Map<string, Decline>([
  ['4000000000000002', genericDecline],
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

const realCard: Decline = {
  code: 'card_declined',
  decline_code: 'test_mode_live_card',
  message:
    'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
};

const authenticationRequired: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

export const needsConfirmation = (number: string): boolean =>
  number === confirmedOnce || number === confirmedAlways;

const asksOwner = (number: string, moment: Moment): boolean =>
  number === confirmedAlways || (number === confirmedOnce && moment === 'first');

/** What the bank says; null when it pays. */
export const declineOf = (number: string, moment: Moment, isConfirmed: boolean): Decline | null => {
  if (asksOwner(number, moment)) return isConfirmed ? null : authenticationRequired;
  if (accepted.has(number) || number === confirmedOnce) return null;
  if (number === failsLater) return moment === 'first' ? null : genericDecline;
  return declines.get(number) ?? realCard;
};

export const isLuhnValid = (number: string): boolean => {
  if (!/^\d{12,19}$/.test(number)) return false;
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
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

/** What is wrong with the entry itself, before a bank is asked. `now` in seconds. */
export const problemOf = (card: CardEntry, now: number): Decline | null => {
  if (!isLuhnValid(card.number)) {
    return { code: 'incorrect_number', param: 'number', message: 'Your card number is incorrect.' };
  }
  return expiryProblem(card, now) ?? cvcProblem(card);
};
