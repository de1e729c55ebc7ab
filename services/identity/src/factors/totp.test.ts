import { describe, expect, it } from 'vitest';
import { codeOf, matchStep, stepAt, toBase32 } from './totp.ts';

/** The secret of the test vectors in RFC 4226 and RFC 6238. */
const SECRET = Buffer.from('12345678901234567890');

describe('codes of an authenticator app', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at second %i are those of RFC 6238', (seconds, code) => {
    expect(codeOf(SECRET, stepAt(new Date(seconds * 1000)), 8)).toBe(code);
  });

  it.each([
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ])('%s are those of RFC 4226', (code) => {
    const codes = Array.from({ length: 10 }, (_, counter) => codeOf(SECRET, counter));
    expect(codes).toContain(code);
  });

  const time = new Date(90_000 * 30_000);
  const match = (step: number, lastStep = 0) => matchStep(SECRET, codeOf(SECRET, step), { time, lastStep });

  it('are accepted one step before and after the current one', () => {
    expect([89_998, 89_999, 90_000, 90_001, 90_002].map((step) => match(step))).toEqual([
      null,
      89_999,
      90_000,
      90_001,
      null,
    ]);
  });

  it('are refused at and before the last used step', () => {
    expect(match(90_000, 90_000)).toBeNull();
    expect(match(89_999, 90_000)).toBeNull();
    expect(match(90_001, 90_000)).toBe(90_001);
  });
});

it('a secret is written in Base32, as in RFC 4648', () => {
  expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(toBase32(Buffer.from('fooba'))).toBe('MZXW6YTB');
});
