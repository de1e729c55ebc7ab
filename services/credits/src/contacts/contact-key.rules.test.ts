import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contactKey } from './contact-key.rules.ts';

describe('contactKey', () => {
  it.each([
    [
      'an e-mail address',
      'ada@engines.test',
      [
        'Ada@Engines.TEST',
        ' ada@engines.test ',
        'ada @ engines.test',
        'mailto:ada@engines.test',
        'MAILTO: ada@engines.test?subject=Hello',
        '<ada@engines.test>',
        'Ada Lovelace <Ada@engines.test>',
        '"Lovelace, Ada" <ada@engines.test>',
        'ada@engines.test.',
      ],
    ],
    ['an address with a domain beyond ASCII', 'ada@xn--mnchen-3ya.de', ['ada@münchen.de', 'Ada@MÜNCHEN.DE.']],
    ['a text', 'ada lovelace', ['Ada Lovelace', 'ADA  LOVELACE', 'ada\u00a0lovelace', '\u200bAda\tLovelace']],
    [
      'a LinkedIn page of a member',
      'linkedin.com/in/ada-lovelace',
      [
        'https://www.linkedin.com/in/Ada-Lovelace/',
        'http://uk.linkedin.com/in/ada-lovelace?trk=people',
        'https://www.linkedin.com/mwlite/in/ada-lovelace',
        'https://www.linkedin.com/comm/in/ada-lovelace?midToken=x',
        'in/ada-lovelace',
        '/in/Ada-Lovelace/',
        'LinkedIn.com/in/ada-lovelace/details/experience/#skills',
        'linkedin.com/in/ada%2Dlovelace',
        'linkedin.com/in/ada-lovelace%20',
        'linkedin.com/in/ada-%E2%80%8Blovelace',
      ],
    ],
    [
      'a lead of Sales Navigator',
      'linkedin.com/sales/lead/ACwAb',
      ['https://www.linkedin.com/sales/lead/ACwAb,NAME_SEARCH,x1Yz?_ntb=1'],
    ],
    [
      'a LinkedIn page with a letter beyond ASCII',
      'linkedin.com/in/josé',
      ['https://linkedin.com/in/JOS%C3%89', 'linkedin.com/in/Jose\u0301'],
    ],
  ])('is one for all spellings of %s', (_kind, key, spellings) => {
    for (const spelling of [key, ...spellings]) expect(contactKey(spelling)).toBe(key);
  });

  it.each([
    ['addresses that differ', 'ada@engines.test', 'ada@engines.example.test'],
    ['a tagged address', 'ada@engines.test', 'ada+cv@engines.test'],
    ['members and companies of one name', 'linkedin.com/in/ada', 'linkedin.com/company/ada'],
    ['members with one name', 'linkedin.com/pub/john-smith/1/2a/3b', 'linkedin.com/pub/john-smith/4/5c/6d'],
    [
      'members that the query names',
      'linkedin.com/profile/view?id=1815',
      'linkedin.com/profile/view?id=1852',
    ],
    ['a delimiter that is escaped', 'linkedin.com/in/ada', 'linkedin.com/in/ada%2Flovelace'],
    [
      'ids of Sales Navigator, which depend on case',
      'linkedin.com/sales/lead/ACwAb',
      'linkedin.com/sales/lead/ACwAB',
    ],
    ['another site with the same path', 'linkedin.com/in/ada', 'notlinkedin.com/in/ada'],
  ])('differs for %s', (_kind, one, other) => {
    expect(contactKey(one)).not.toBe(contactKey(other));
  });

  it('fits its column, and differs for long references that differ', () => {
    const long = '\ufdfa'.repeat(200);
    expect(contactKey(long).length).toBeLessThanOrEqual(600);
    const pages = ['in', 'pub', 'sales', 'profile'].map((page) => `linkedin.com/${page}/`);
    for (const text of ['', ...pages])
      for (const character of ['İ', '\ufdfa', '\u2100', '\u0958', '%'])
        for (let length = 1; text.length + length <= 200; length += 1)
          expect(contactKey(text + character.repeat(length)).length).toBeLessThanOrEqual(600);
    expect(contactKey(long)).not.toBe(contactKey(`${long.slice(1)}x`));
  });

  const anyText = fc.string({ unit: 'binary', maxLength: 60 });
  const page = fc.constantFrom(
    '',
    ...['in', 'pub', 'sales/lead', 'profile'].map((kind) => `linkedin.com/${kind}/`),
  );

  it('is the same for its own result', () => {
    const text = fc.oneof(
      anyText,
      anyText.map((characters) => encodeURIComponent(characters.toWellFormed())),
      fc.string({
        unit: fc.constantFrom('a', 'B', ' ', '@', '%', '2', 'F', '/', '?', '#', ',', 'mailto:', '\u2049'),
      }),
    );
    fc.assert(
      fc.property(page, text, (start, rest) => {
        const key = contactKey(start + rest);
        expect(contactKey(key)).toBe(key);
      }),
      { numRuns: 3_000 },
    );
  });

  it('ignores the case and the spacing of any e-mail address, name and LinkedIn name', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abzéöçñø0-_.'), minLength: 1, maxLength: 20 });
    const contact = fc.oneof(
      fc.tuple(word, word).map((words) => words.join('@')),
      fc.tuple(word, word).map((words) => words.join(' ')),
      word.map((name) => `linkedin.com/in/${name}`),
    );
    fc.assert(
      fc.property(contact, (reference) => {
        const spaced = ` ${reference.replace('@', ' @ ').replace(' ', '  ')}\u200b\n`;
        for (const spelling of [reference.toUpperCase(), spaced, reference.normalize('NFD')])
          expect(contactKey(spelling)).toBe(contactKey(reference));
      }),
    );
  });
});
