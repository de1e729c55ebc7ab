import { COUNTRIES, COUNTRY_NAMES } from '@shortlist/contracts/option-lists';
import { describe, expect, test } from 'vitest';
import { choiceFor, matchingChoices } from './choices-by-name.ts';

const countries = { choices: COUNTRIES, otherNames: COUNTRY_NAMES };

describe('a country is found by', () => {
  test.each([
    ['UK', 'United Kingdom'],
    ['u.k.', 'United Kingdom'],
    ['england', 'United Kingdom'],
    ['USA', 'United States'],
    ['us', 'United States'],
    ['America', 'United States'],
    ['holl', 'Netherlands'],
    ['The Netherlands', 'Netherlands'],
    ['Czech Rep', 'Czechia'],
    ['cote d', 'Ivory Coast'],
    ['turkiye', 'Turkey'],
    ['Korea', 'South Korea'],
    ['guinea bissau', 'Guinea-Bissau'],
    ['Guinea', 'Guinea'],
    ['Niger', 'Niger'],
    ['Ukr', 'Ukraine'],
    ['DR Congo', 'Democratic Republic of the Congo'],
    ['Congo', 'Congo'],
  ])('%s, first of all: %s', (text, country) => {
    expect(matchingChoices(countries, text)[0]).toBe(country);
  });

  test('each of its names, as the whole text', () => {
    for (const country of COUNTRIES)
      for (const name of [country, ...(COUNTRY_NAMES[country] ?? [])])
        expect([name, choiceFor(countries, name)]).toEqual([name, country]);
  });

  test('part of its name, after those that begin with it', () => {
    expect(matchingChoices(countries, 'guinea')).toEqual([
      'Guinea',
      'Guinea-Bissau',
      'Equatorial Guinea',
      'Papua New Guinea',
    ]);
  });

  test('nothing else', () => {
    expect(matchingChoices(countries, 'Atlantis')).toEqual([]);
    expect(choiceFor(countries, 'Atlantis')).toBe('');
  });
});
