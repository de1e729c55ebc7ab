import { describe, expect, it } from 'vitest';
import { headerName, mailedName, mailedPhrase, unconfirmedName } from './user-text.rules.ts';

describe('I6 a name in an email', () => {
  it.each([
    'Ada',
    'J. R.',
    'J.R.',
    'Mary-Jane',
    'St. John',
    "O'Neil",
    'Louis 14',
    'José María',
    '李小龍',
    'Å. B',
  ])('%j is used', (name) => expect(mailedName(name)).toBe(name));

  it.each([
    'Win $1000 at evil.example',
    'See https://prize.test/x',
    'Ada www.prize.test',
    'prize。test',
    'prize.test',
    'prize．test',
    'prize․test',
    'prize.\u200btest',
    'prize .test',
    'ada@prize.test',
    'ada＠prize',
    'prize/now',
    'prize／now',
    'prize⁄now',
    'prize\\now',
    '1.2.3.4',
    'x.1e100',
    'Call 555 0199',
    'Call 5-5-5',
    'Win 1000',
    'Win ①⓪⓪',
    'Win ١٠٠',
    'A'.repeat(41),
    'Ada has a prize for you, answer this mail',
  ])('%j is left out', (name) => expect(mailedName(name)).toBeNull());

  it.each([
    ['\u202eadA', 'adA'],
    ['Ada\u2066\u200f', 'Ada'],
    ['Ada\r\nBcc: all', 'Ada Bcc: all'],
    ['Ada\u0000\u2028X', 'Ada X'],
    ['علی\u200cرضا', 'علی\u200cرضا'],
  ])('%j is written as %j, without characters that end the line or change its direction', (name, text) =>
    expect(mailedName(name)).toBe(text),
  );

  it('of forty characters is used', () => expect(mailedName('A'.repeat(40))).toBe('A'.repeat(40)));
});

describe('I6 a name at an unconfirmed address', () => {
  it.each([
    'Ada',
    'Mary-Jane',
    "O'Neil",
    'O’Neil',
    'José María',
    'Ana Sofía',
    'Zoë',
    'A',
    'Jean-Pierre Léon',
    'Владимир',
    'محمد',
    'अनुराधा',
    '李小龍',
    'さくら',
    'A'.repeat(30),
  ])('%j is used', (name) => expect(unconfirmedName(name)).toBe(name));

  it.each([
    'You have won',
    'Call us now please',
    'prize.test',
    'prize dot test now',
    'prize\u2024test',
    'https://prize.test',
    'Ada, pay',
    'Ada!',
    'Ada?',
    'Ada: pay',
    'Ada 2',
    'Ada ②',
    'Ada٣',
    'Ⅷ',
    'ada@prize',
    'Ada – pay',
    'Ada  Byron',
    ' Ada',
    'Ada ',
    'Ada-',
    "'Ada",
    'A--B',
    'Ada\u202eadA',
    'Ada\u200bByron',
    'Ada\u00a0Byron Now',
    'Ada\r\nBcc: all',
    'Ada 💰',
    '$Ada',
    'Ada_Pay',
    '请立即加微信领奖',
    'รับเงินรางวัลทันที',
    '\u0301Ada',
    '',
    ' ',
    'A'.repeat(31),
  ])('%j is left out', (name) => expect(unconfirmedName(name)).toBeNull());

  it('never allows what is forbidden at a confirmed address', () => {
    for (const name of ['Ada', 'Mary-Jane', 'José María', '李小龍'])
      expect([mailedName(name), headerName(name)]).toEqual([unconfirmedName(name), name]);
  });

  it('is refused quickly', () => {
    const started = performance.now();
    expect(unconfirmedName(`${'a'.repeat(100_000)}!`)).toBeNull();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('I6 a reason or the name of a key in an email', () => {
  it.each([
    'Lost the phone, case 4711',
    'You called on Nov 24. We checked.',
    'Zapier (2026)',
    'Wrong number: 3 of 10 codes',
  ])('%j is used', (text) => expect(mailedPhrase(text)).toBe(text));

  it.each(['Log in at evil.example', 'Call +1 (555) 010-0199', 'Write to x@evil', 'See evil.example/a'])(
    '%j is left out',
    (text) => expect(mailedPhrase(text)).toBe(''),
  );
});

it.each([
  ['Anna, Dr.', 'Anna Dr'],
  ['"Ana" <x@y.test>', 'Ana x y test'],
  ['Ana; Souza', 'Ana Souza'],
  ['Ana (HR) [DE]: \\x', 'Ana HR DE x'],
  ['Zoë-Marie O’Neil', 'Zoë-Marie O’Neil'],
])('the name %j is %j beside an address', (name, header) => expect(headerName(name)).toBe(header));
