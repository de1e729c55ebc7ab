import { domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asciiDomain, asciiEmail, readableEmail } from '../src/unicode.ts';
import fc from 'fast-check';

const ascii = (domain: string): string => `ana@${asciiDomain(domain)}`;

describe('an email as people read it', () => {
  it.each([
    'ana@talent.test',
    'ana@münchen.test',
    'ana@straße.test',
    'ana@ışık.test',
    'ana@łódź.test',
    'ana@việt.test',
    'ana@пример.рф',
    'ana@παράδειγμα.test',
    'ana@例え.テスト',
    'ana@中文.test',
    'ana@한국.test',
    'ana@उदाहरण.test',
    'ana@مثال.test',
    'ana@sub.münchen.test',
    'ana@müll-2024.test',
    'josé@münchen.test',
  ])('has the domain in Unicode: %s', (email) => {
    const stored = asciiEmail(email);
    expect(readableEmail(stored)).toBe(email);
    expect(stored).toMatch(/@[\x21-\x7e]+$/);
    expect(asciiEmail(` ${stored.toUpperCase()} `)).toBe(stored);
  });

  it.each([
    ['Cyrillic letters that look Latin', 'аррӏе.test'],
    ['one Cyrillic letter among Latin ones', 'pаypal.test'],
    ['one Greek letter among Latin ones', 'gοogle.test'],
    ['Greek letters that look Latin', 'νικ.test'],
    ['the dotless i as the only other letter', 'lınkedin.test'],
    ['a letter of phonetics', 'ɡoogle.test'],
    ['Latin and Japanese letters together', 'google日本.test'],
    ['a script that is in no use', 'ᚠᚢᚦ.test'],
    ['a sign', '☃.test'],
    ['an accent alone', 'paypal\u0301\u0323\u0332.test'],
    ['a safe label beside one that is not', 'münchen.аррӏе.test'],
  ])('keeps ASCII with %s', (_, domain) => {
    expect(ascii(domain)).toMatch(/^ana@.*xn--/);
    expect(readableEmail(ascii(domain))).toBe(ascii(domain));
  });

  it.each([
    'xn--a.test',
    'xn--.test',
    'xn---.test',
    'xn--99999999999.test',
    `xn--${'z'.repeat(60)}.test`,
    'xn--MNCHEN-3YA.test',
    // An encoding that UTS 46 would not write: of ASCII, of upper case, of a half of a character.
    'xn--abc-.test',
    'xn--Mnchen-3ya.test',
    'xn--0c9h.test',
  ])('does not change an invalid encoding: %s', (domain) => {
    expect(readableEmail(`ana@${domain}`)).toBe(`ana@${domain}`);
  });

  it('does not change text that is not an email', () => {
    for (const text of ['', 'xn--mnchen-3ya.test', 'ana']) expect(readableEmail(text)).toBe(text);
  });

  it('is a spelling of the same domain, the same as Node’s', () => {
    const word = fc.stringMatching(/^[a-zà-öø-ž]{1,12}$/u);
    fc.assert(
      fc.property(word, word, (first, second) => {
        const domain = asciiDomain(`${first}.${second}.test`);
        const shown = readableEmail(`ana@${domain}`).slice(4);
        expect(asciiDomain(shown)).toBe(domain);
        if (shown !== domain) expect(shown).toBe(domainToUnicode(domain ?? ''));
      }),
    );
  });

  it('never throws, whatever is stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z\d-]{0,63}$/), (local, label) => {
        const email = `${local}@xn--${label}.test`;
        expect(asciiEmail(readableEmail(email))).toBe(asciiEmail(email));
      }),
    );
  });
});
