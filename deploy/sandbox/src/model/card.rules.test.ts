import { describe, expect, it } from 'vitest';
import { findDecline, isLuhnValid, validateCard, type CardEntry } from './card.rules.ts';

const now = Date.parse('2026-11-20T00:00:00Z') / 1000;
const VALID_CARD: CardEntry = {
  number: '4242424242424242',
  expMonth: 11,
  expYear: 2026,
  cvc: '123',
  name: null,
};

describe('test cards', () => {
  it('a card is valid until the end of its expiry month', () => {
    expect(validateCard(VALID_CARD, now)).toBeNull();
    expect(validateCard({ ...VALID_CARD, expMonth: 10 }, now)?.code).toBe('invalid_expiry_year');
  });

  it.each([
    [{ number: '4242424242424241' }, 'incorrect_number'],
    [{ number: '42' }, 'incorrect_number'],
    [{ expMonth: 13 }, 'invalid_expiry_month'],
    [{ expMonth: Number.NaN }, 'invalid_expiry_month'],
    [{ expYear: Number.NaN }, 'invalid_expiry_year'],
    [{ cvc: '12' }, 'invalid_cvc'],
    [{ number: '378282246310005', cvc: '123' }, 'invalid_cvc'],
  ])('%j fails validation', (change, code) => {
    expect(validateCard({ ...VALID_CARD, ...change }, now)?.code).toBe(code);
  });

  it.each([
    ['4242424242424242', null, null],
    ['4000000000000002', 'generic_decline', 'generic_decline'],
    ['4000000000009995', 'insufficient_funds', 'insufficient_funds'],
    ['4000000000000069', 'expired_card', 'expired_card'],
    ['4000000000000341', null, 'generic_decline'],
    ['4000002500003155', null, null],
    ['4111111111111111', 'test_mode_live_card', 'test_mode_live_card'],
  ])('a first payment with %s results in %s, a later one in %s', (number, first, later) => {
    expect(findDecline(number, 'first', true)?.decline_code ?? null).toBe(first);
    expect(findDecline(number, 'later', false)?.decline_code ?? null).toBe(later);
  });

  it('a payment that requires authentication is declined without it', () => {
    expect(findDecline('4000002500003155', 'first', false)?.code).toBe('authentication_required');
    expect(findDecline('4000002760003184', 'later', false)?.code).toBe('authentication_required');
    expect(findDecline('4000002760003184', 'later', true)).toBeNull();
  });

  it('card numbers are validated with the Luhn algorithm', () => {
    expect(isLuhnValid('4000002760003184')).toBe(true);
    expect(isLuhnValid('4000002760003183')).toBe(false);
    expect(isLuhnValid('')).toBe(false);
  });
});
