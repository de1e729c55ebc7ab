import Joi from 'joi';
import { describe, expect, it } from 'vitest';
import {
  loginSchema,
  mailedCode,
  passwordRepeatSchema,
  profileSchema,
  signupSchema,
} from '../src/schemas/account.ts';
import { recoveryCode, totpCode } from '../src/api/factors.ts';
import { validate } from '../src/schemas/validation.ts';
import { exampleProfile } from './examples.ts';

const ana = {
  email: 'ana@talent.test',
  password: 'sesame',
  ...exampleProfile(),
};
const messageOf = (field: string, value: unknown): string | undefined =>
  validate(signupSchema, { ...ana, [field]: value }).fields?.[field];

describe('the messages of the sign-up form', () => {
  it('a complete form is accepted', () => expect(validate(signupSchema, ana).fields).toBeNull());

  it.each([
    ['email', undefined, 'You need to provide an email.'],
    ['email', '', 'You need to provide an email.'],
    ['email', 'unknown', 'Please provide a valid email'],
    ['email', 'a@b', 'Email must contain at least four characters'],
    ['email', 'ana@example.com', "Email should not contain the word 'example'"],
    ['email', 'ana.EXAMPLE@talent.test', "Email should not contain the word 'example'"],
    ['password', undefined, 'You need to write the password.'],
    ['password', '', 'You need to write the password.'],
    ['password', '12345', 'Password must contain at least six characters'],
    ['firstName', '', 'You need to write your first name here'],
    ['firstName', 'A', 'Your first name must contain at lest two character'],
    ['lastName', '', 'You need to write your last name here'],
    ['lastName', 'S', 'Your last name must contain at lest two character'],
    ['organizationName', '', 'You need to write the name of your organization'],
    ['typeOfOrganization', '', 'Please select the type of your organization'],
    ['typeOfOrganization', 'Circus', 'Please select the type of your organization'],
    ['primaryRecruitingIndustry', '', 'You need to write your primary recruiting industry'],
    ['country', '', 'Please select a country'],
    ['country', 'Atlantis', 'Please select a country'],
    ['city', '', 'Please type the name of your home city (eg London, Paris etc)'],
    ['city', 'R', 'The name of your home city must contain at lest two character'],
  ])('%s %j: %s', (field, value, message) => expect(messageOf(field, value)).toBe(message));

  it('linkedin is optional and empty text by default', () => {
    for (const linkedin of [undefined, '', null])
      expect(validate(signupSchema, { ...ana, linkedin }).value?.linkedin).toBe('');
  });

  it.each([
    [undefined, undefined],
    ['', ''],
    [null, ''],
  ])('in an edit, %j of an optional field is %j', (linkedin, stored) =>
    expect(validate(profileSchema, { ...exampleProfile(), linkedin }).value?.linkedin).toBe(stored),
  );
});

describe('an address with a non-ASCII domain', () => {
  const stored = (email: string) => validate(signupSchema, { ...ana, email }).value?.email;

  it.each([
    ['ana@münchen.de', 'ana@xn--mnchen-3ya.de'],
    ['ana@MÜNCHEN.de', 'ana@xn--mnchen-3ya.de'],
    ['ana@xn--mnchen-3ya.de', 'ana@xn--mnchen-3ya.de'],
    ['ana@例え.jp', 'ana@xn--r8jz45g.jp'],
    ['ana@talent.test', 'ana@talent.test'],
  ])('%s is stored as %s, for the sign-up and the log-in', (given, ascii) => {
    expect(stored(given)).toBe(ascii);
    expect(validate(loginSchema, { email: given, password: 'sesame' }).value?.email).toBe(ascii);
  });

  it('is refused with a reason if its local part is not ASCII, but still logs in', () => {
    const reason = 'The part before the @ can only have letters from a to z, digits, and symbols';
    expect(messageOf('email', 'jörg@talent.test')).toBe(reason);
    const { fields } = validate(loginSchema, { email: 'jörg@talent.test', password: 'sesame' });
    expect(fields).toBeNull();
  });
});

describe('a name', () => {
  const ZWNJ = '\u200c';
  const ZWJ = '\u200d';
  it.each([
    ['Persian with a non-joiner', `علی${ZWNJ}رضا`],
    ['Sinhala with a joiner', `ශ්${ZWJ}රී`],
    ['a family of emoji', '👩‍👩‍👧 Souza'],
    ['one Han character', '王'],
    ['one Hangul character', '김'],
    ['one hundred characters beyond the first plane', '𠮷'.repeat(100)],
  ])('may be %s', (_what, name) => expect(messageOf('lastName', name)).toBeUndefined());

  it.each([
    ['a joiner between Latin letters', `An${ZWJ}a`, 'Please use visible characters only'],
    ['a joiner at the end', `علی${ZWNJ}`, 'Please use visible characters only'],
    ['a zero-width space', 'An\u200ba', 'Please use visible characters only'],
    ['a mark of direction', 'An\u202ea', 'Please use visible characters only'],
    ['one hundred and one characters', '𠮷'.repeat(101), 'Please use at most 100 characters'],
    ['one Latin letter', 'A', 'Your last name must contain at lest two character'],
  ])('may not have %s', (_what, name, message) => expect(messageOf('lastName', name)).toBe(message));
});

describe('a code', () => {
  const read = (schema: Joi.Schema, code: string) => validate(Joi.object({ code: schema }), { code });
  it.each(['123456', '123 456', '123-456', '123–456', '１２３４５６', '١٢٣٤٥٦', '१२३ ४५६', '123.456'])(
    'may be typed as %s',
    (code) => {
      for (const schema of [mailedCode, totpCode])
        expect(read(schema, code).value).toEqual({ code: '123456' });
    },
  );

  it('has the same message for every mistake', () => {
    for (const code of ['12345', 'abcdef', '', '1234567'])
      expect([read(mailedCode, code).fields, read(totpCode, code).fields]).toEqual([
        { code: 'Enter the six digits of the code' },
        { code: 'Please enter the six digits from your authenticator app' },
      ]);
  });

  it('for recovery accepts separators and either case', () => {
    expect(read(recoveryCode, 'ABCDE-12345').value).toEqual({ code: 'abcde12345' });
  });
});

describe('the LinkedIn address', () => {
  it.each([
    ['linkedin.com/in/ana-souza', 'https://linkedin.com/in/ana-souza'],
    ['https://www.linkedin.com/in/ana-souza/', 'https://www.linkedin.com/in/ana-souza/'],
    ['http://br.linkedin.com/in/ana-souza?trk=x', 'https://br.linkedin.com/in/ana-souza?trk=x'],
    [' LinkedIn.com/in/Ana ', 'https://linkedin.com/in/Ana'],
    ['linkedin.com', 'https://linkedin.com/'],
  ])('%j is stored as %s', (linkedin, stored) =>
    expect(validate(signupSchema, { ...ana, linkedin }).value?.linkedin).toBe(stored),
  );

  it.each([
    'ana-souza',
    'n/a',
    'https://talent.test/in/ana',
    'linkedin.com.evil.test/in/ana',
    'evil-linkedin.com',
    'javascript:alert(1)',
    'https://linkedin.com@evil.test/',
    'https://evil.test/linkedin.com',
    '//evil.test',
    'https://ana:secret@linkedin.com/in/ana',
    'ftp://linkedin.com/in/ana',
    'linkedin.com:8080/in/ana',
    'linkedin.com/in/ana souza',
  ])('%j is refused', (linkedin) =>
    expect(messageOf('linkedin', linkedin)).toBe(
      'Please enter a LinkedIn URL, such as linkedin.com/in/your-name, or leave this empty',
    ),
  );

  it('is at most 300 characters long with https', () =>
    expect(messageOf('linkedin', `linkedin.com/in/${'a'.repeat(280)}`)).toBe(
      'Please use at most 300 characters',
    ));
});

describe('the messages of the other forms', () => {
  it('a login lists both fields', () => {
    expect(validate(loginSchema, {}).fields).toEqual({
      email: 'Please provide your login Email address',
      password: 'Please provide your login Password',
    });
    expect(validate(loginSchema, { email: 'unknown', password: '12345' }).fields).toEqual({
      email: 'Please provide a valid email',
      password: 'Password must contain at least six characters',
    });
  });

  it('an edit ignores an empty password and validates a new one', () => {
    const { email: _, ...profile } = ana;
    expect(validate(profileSchema, { ...profile, password: '' }).value).not.toHaveProperty('password');
    expect(validate(profileSchema, { ...profile, password: '123' }).fields).toEqual({
      password: 'Password must contain at least six characters',
    });
  });

  it('a repeated password must be long enough and equal the first', () => {
    const form = Joi.object({ password: Joi.string(), passwordRepeat: passwordRepeatSchema });
    const messageFor = (passwordRepeat?: string) =>
      validate(form, { password: 'sesame', passwordRepeat }).fields?.['passwordRepeat'];
    expect([messageFor(), messageFor('')]).toEqual(Array(2).fill('You need to re-write the password here'));
    expect(messageFor('sesam3')).toBe('Passwords do not match');
    expect(messageFor('sesam')).toBe('Password must contain at least six characters');
    expect(messageFor('sesame')).toBeUndefined();
  });
});

describe('the stored form of an e-mail address (A8)', () => {
  const local = 'a'.repeat(64);
  const label = 't'.repeat(60);
  /** 64 characters before the @, 254 in all. */
  const longest = `${local}@${label}.${label}.${label}.tst.co`;

  it('A8 may have 64 characters before the @ and 254 in all', () => {
    expect(longest).toHaveLength(254);
    expect(validate(signupSchema, { ...ana, email: longest }).value?.email).toBe(longest);
  });

  it.each(['ANA@Talent.Test', '  ana@talent.test ', 'ａｎａ@talent.test', 'ana＠talent.test'])(
    'A8 is the same for %j',
    (email) => expect(validate(signupSchema, { ...ana, email }).value?.email).toBe('ana@talent.test'),
  );

  it.each([
    'a\u200bna@talent.test',
    'ana\u00ad@talent.test',
    'ana\ud800@talent.test',
    `${'a'.repeat(65)}@talent.test`,
    `ana@${'t'.repeat(60)}.${'t'.repeat(60)}.${'t'.repeat(60)}.${'t'.repeat(60)}.${'t'.repeat(20)}.test`,
    `${longest}x`,
    'ana@talent.test\u200d',
  ])('A8 cannot be derived from %j', (email) => expect(messageOf('email', email)).toBeDefined());

  it.each([{}, [], 5, true, null])('J6 cannot be derived from %j', (email) =>
    expect(messageOf('email', email)).toBe('You need to provide an email.'),
  );
});

it('D2 fields that the schema does not name are dropped', () => {
  const { value } = validate(signupSchema, {
    ...ana,
    plan: 'premium',
    role: 'admin',
    id: '1',
    __proto__: { a: 1 },
  });
  expect(Object.keys(value ?? {}).toSorted()).toEqual(Object.keys(ana).toSorted());
});
