import fc from 'fast-check';
import Joi from 'joi';
import { describe, expect, it } from 'vitest';
import { signupSchema } from '../src/schemas/account.ts';
import { spendRules } from '../src/api/credits.ts';
import { decodedAddress, validate } from '../src/schemas/validation.ts';
import { v1Endpoints } from '../src/api/v1.ts';
import { exampleProfile } from './examples.ts';

describe('a decoded address', () => {
  it.each([
    ['https://www.linkedin.com/in/%E5%BC%A0%E4%BC%9F-1a2b', 'https://www.linkedin.com/in/张伟-1a2b'],
    ['linkedin.com/in/%d0%98%d0%b2%d0%b0%d0%bd', 'linkedin.com/in/Иван'],
    ['linkedin.com/in/j%C3%B6rg?name=%C3%B6#%C3%B6', 'linkedin.com/in/jörg?name=ö#ö'],
    ['/in/%F0%9F%98%80', '/in/😀'],
    ['/in/%E0%A4%95%E0%A5%8D%E2%80%8D%E0%A4%B7', '/in/क्‍ष'], // with a joiner that its script needs
    ['/in/張%E5%81%89', '/in/張偉'],
  ])('%s is %s', (address, decoded) => expect(decodedAddress(address)).toBe(decoded));

  it.each([
    ['a delimiter', '/in/ada%2Flovelace%3Fx%23y%25z'],
    ['letters of ASCII', '/in/%41%64%61'],
    ['what is not UTF-8', '/in/%E9%E5%BC'],
    ['a lone surrogate', '/in/%ED%A0%80'],
    ['an overlong sign', '/in/%C0%AF'],
    ['a control character', '/in/%C2%85'],
    ['a space that does not break', '/in/a%C2%A0b'],
    ['a mark that turns the direction', '/in/%E2%80%AE'],
    ['a joiner between letters that need none', '/in/%C3%B6%E2%80%8D%C3%B6'],
    ['another normal form', '/in/%E1%84%92%E1%85%A1%E1%86%AB'],
    ['a mark that belongs to the letter before it', '/in/o%CC%88'],
    ['half a sign', '/in/%E5%B'],
  ])('keeps %s', (_, address) => {
    expect(decodedAddress(address)).toBe(address);
  });

  it('leads to the same page, and is its own decoded address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (name, other) => {
        const path = [name, other.toWellFormed()].map(encodeURIComponent).join('/');
        const { href } = new URL(`https://linkedin.com/in/${path}`);
        const decoded = decodedAddress(href);
        expect(new URL(decoded).href).toBe(href);
        expect(decodedAddress(decoded)).toBe(decoded);
      }),
    );
  });
});

const stored = (linkedin: string) => {
  const account = { email: 'ana@talent.test', password: 'sesame', ...exampleProfile(), linkedin };
  const { value, fields } = validate(signupSchema, account);
  return fields?.['linkedin'] ?? value?.linkedin;
};
const START = 'https://www.linkedin.com/in/';
const ofLength = (letter: string, length: number): string => START + letter.repeat(length - START.length);

describe('a LinkedIn URL', () => {
  it.each([
    ['Chinese', '张'],
    ['Cyrillic', 'Ж'],
    ['emoji', '😀'],
    ['ASCII', 'a'],
  ])('with a name in %s has 300 characters at most, encoded or not, and is stored decoded', (_, letter) => {
    const [longest, longer] = [ofLength(letter, 300), ofLength(letter, 301)];
    for (const write of [(address: string) => address, encodeURI]) {
      expect(stored(write(longest))).toBe(longest);
      expect(stored(write(longer))).toBe('Please use at most 300 characters');
    }
    expect(stored(encodeURI(longest).toLowerCase())).toBe(longest);
  });

  it('is the same after it is edited once more', () => {
    for (const address of [`${START}张伟?x=%26%E5%BC%A0#%41`, `${START}%E2%80%AE`, `${START}o%CC%88`]) {
      const once = stored(address) ?? '';
      expect(stored(once)).toBe(once);
      expect(new URL(once).href).toBe(new URL(address).href);
    }
  });

  it('with an encoded path to another site is refused', () => {
    expect(stored('https://evil.test/%E5%BC%A0')).toContain('Please enter a LinkedIn URL');
  });
});

describe.each([
  ['the pages', Joi.object(spendRules)],
  ['the API for tools', v1Endpoints.charge.schema],
])('the reference of a charge by %s', (_, schema) => {
  const charged = (reference: string): unknown => {
    const { value, fields } = validate(schema as Joi.ObjectSchema<{ reference?: string }>, {
      reason: 'email_found',
      amount: 1,
      reference,
    });
    return fields === null ? value.reference : fields;
  };
  const name = (length: number): string => `linkedin.com/in/${'张'.repeat(length - 16)}`;

  it('has at most 200 characters; a URL that is longer when encoded is measured and stored decoded', () => {
    expect(charged(encodeURI(name(200)))).toBe(name(200));
    expect(charged(encodeURI(name(201)))).toHaveProperty('reference');
    expect(charged('a'.repeat(200))).toBe('a'.repeat(200));
    expect(charged('a'.repeat(201))).toHaveProperty('reference');
    expect(charged(`linkedin.com/in/${'%41'.repeat(70)}`)).toHaveProperty('reference');
  });

  it('that fits is stored unchanged, so that a repeated request has the same reference', () => {
    const short = encodeURI(name(30));
    expect(charged(short)).toBe(short);
  });

  it('cannot hide a forbidden character', () => {
    expect(charged(`${encodeURI(name(100))}%C2%85`)).toHaveProperty('reference');
  });
});
