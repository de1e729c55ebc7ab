import { describe, expect, it } from 'vitest';
import { readBasePort } from '../src/system/base-port.ts';

describe('the first port', () => {
  it('is 5000 by default', () => {
    expect(readBasePort(undefined, false)).toBe(5000);
    expect(readBasePort('7000', false)).toBe(7000);
  });

  it.each(['80', '65001', '5000.5', 'five'])('is refused as %s', (value) => {
    expect(() => readBasePort(value, false)).toThrow('PORT must be a whole number from 1024 to 65000');
  });

  it('is refused when browsers and fetch block it', () => {
    expect(() => readBasePort('6000', false)).toThrow(
      'PORT=6000 cannot be used: browsers and fetch refuse port 6000 (bff); choose other ports: make start PORT=7000',
    );
  });

  it.each([
    ['5050', '5060 (sandbox)'],
    ['5058', '5060 (profile)'],
    ['2045', '2049 (credits)'],
    ['6656', '6666 (sandbox)'],
  ])('is refused as %s, from which port %s follows', (value, port) => {
    expect(() => readBasePort(value, false)).toThrow(`refuse port ${port}`);
  });

  it('is refused for the port of web only when web runs from its sources', () => {
    expect(readBasePort('5985', false)).toBe(5985);
    expect(() => readBasePort('5985', true)).toThrow('refuse port 6000 (web)');
  });
});
