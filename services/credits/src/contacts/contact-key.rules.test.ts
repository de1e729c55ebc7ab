import { describe, expect, it } from 'vitest';
import { contactKey } from './contact-key.rules.ts';

describe('contactKey', () => {
  it.each([
    [
      'an e-mail address',
      'ada@engines.test',
      ['Ada@Engines.TEST', ' ada@engines.test ', 'mailto:ada@engines.test'],
    ],
    ['a text', 'ada lovelace', ['Ada Lovelace', 'ADA  LOVELACE', 'ada\u00a0lovelace', '\u200bAda\tLovelace']],
    [
      'a LinkedIn page of a member',
      'linkedin.com/in/ada-lovelace',
      [
        'https://www.linkedin.com/in/Ada-Lovelace/',
        'http://uk.linkedin.com/in/ada-lovelace?trk=people',
        'LinkedIn.com/in/ada-lovelace/details/experience/#skills',
        'linkedin.com/in/ada%2Dlovelace',
      ],
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
    expect(contactKey('İ'.repeat(200)).length).toBeLessThanOrEqual(600);
    expect(contactKey(long)).not.toBe(contactKey(`${long.slice(1)}x`));
  });

  it('is the same for its own result', () => {
    for (const reference of [
      'Ada @ Engines',
      'linkedin.com/in/%41da',
      'İstanbul',
      '%',
      'linkedin.com/',
      'mailto: A@B.test',
    ])
      expect(contactKey(contactKey(reference))).toBe(contactKey(reference));
  });
});
