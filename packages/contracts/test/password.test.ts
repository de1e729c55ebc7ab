import Joi from 'joi';
import { describe, expect, it } from 'vitest';
import { passwordLength } from '../src/password.rules.ts';
import { loginPassword, newPassword, passwordRepeatSchema } from '../src/schemas/account.ts';
import { validate } from '../src/schemas/validation.ts';

const TOO_SHORT = 'Password must contain at least six characters';
const TOO_LONG = 'Password must contain at most 256 characters';

const messageOf = (schema: Joi.StringSchema, password: string): string | undefined =>
  validate(Joi.object({ password: schema }), { password }).fields?.['password'];

describe('the length of a password', () => {
  it('counts the characters of its normal form', () => {
    expect(['sesame', '🎩🎩', 'e\u0301', 'ﬁ'].map(passwordLength)).toEqual([6, 2, 1, 2]);
  });

  it.each([
    ['six of the shortest characters', 'sesame', undefined],
    ['three characters of two UTF-16 units', '🎩🎩🎩', TOO_SHORT],
    ['six characters of two UTF-16 units', '🎩'.repeat(6), undefined],
    ['five characters of which each has an accent of its own', 'e\u0301'.repeat(5), TOO_SHORT],
    ['256 characters of two UTF-16 units', '🎩'.repeat(256), undefined],
    ['257 characters', 'p'.repeat(257), TOO_LONG],
    ['130 ligatures of two letters', 'ﬁ'.repeat(130), TOO_LONG],
  ])('that is chosen is limited: %s', (_, password, message) => {
    expect(messageOf(newPassword, password)).toBe(message);
  });

  it('at a log-in may also be within the limits as typed, like that of older passwords', () => {
    for (const password of ['🎩🎩🎩', 'ﬁ'.repeat(130), 'sesame'])
      expect(messageOf(loginPassword, password)).toBeUndefined();
    expect(messageOf(loginPassword, 'sesam')).toBe(TOO_SHORT);
    expect(messageOf(loginPassword, 'p'.repeat(257))).toBe(TOO_LONG);
  });
});

it('a repeated password may be in another form of the same characters', () => {
  const form = Joi.object({ password: Joi.any(), passwordRepeat: passwordRepeatSchema });
  const fieldsOf = (passwordRepeat: string) =>
    validate(form, { password: 'señor-pass', passwordRepeat }).fields;
  expect(fieldsOf('sen\u0303or-pass')).toBeNull();
  expect(fieldsOf('senor-pass')).toEqual({ passwordRepeat: 'Passwords do not match' });
});
