import { expect, it } from 'vitest';
import { refusedLicences } from './licences.ts';

const exceptions = { font: { stated: 'OFL-1.1', licence: 'OFL-1.1', reason: 'A font' } };
const list = { allowed: ['MIT', 'Apache-2.0'], exceptions };
const refused = (name: string, licence: string | null): string[] => {
  const font = { name: 'font', version: '2.0.0', folder: '', licence: 'OFL-1.1' };
  const one = { name, version: '1.0.0', folder: '', licence };
  return refusedLicences(name === 'font' ? [one] : [font, one], list);
};

it.each([
  'MIT',
  '(MIT)',
  'GPL-3.0-only OR MIT',
  'MIT AND Apache-2.0',
  '(GPL-2.0-only OR MIT) AND Apache-2.0',
])('a package may have the licence %s', (licence) => {
  expect(refused('one', licence)).toEqual([]);
});

it.each([
  'GPL-3.0-only',
  'MIT AND GPL-3.0-only',
  'OFL-1.1',
  'MIT*',
  'SEE LICENSE IN terms.txt',
  'UNLICENSED',
  '',
])("a package may not have the licence '%s'", (licence) => {
  expect(refused('one', licence)).toEqual([`one 1.0.0: ${licence}`]);
});

it('a package may not be without a licence', () => {
  expect(refused('one', null)).toEqual(['one 1.0.0: states no licence']);
});

it('an exception is for the licence that it names', () => {
  expect(refused('font', 'OFL-1.1')).toEqual([]);
  expect(refused('font', 'GPL-3.0-only')).toEqual(['font 1.0.0: GPL-3.0-only']);
  expect(refused('font', 'MIT')).toEqual(['font 1.0.0: MIT']);
});

it('an exception ends with its package', () => {
  expect(refusedLicences([], list)).toEqual([
    'font: an exception for a package that the product does not run',
  ]);
});
