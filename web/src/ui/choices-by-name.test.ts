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
    ['Congo - Kinshasa', 'Democratic Republic of the Congo'],
    ['Burma', 'Myanmar'],
    ['Holland', 'Netherlands'],
    ['TÜRKİYE', 'Turkey'],
    ['Republic of Korea', 'South Korea'],
    ['Korea, Republic of', 'South Korea'],
    ['Macau', 'Macao'],
    ['Aland', 'Åland Islands'],
    ['FØROYAR', 'Faroe Islands'],
    ['foroyar', 'Faroe Islands'],
    ['curacao', 'Curaçao'],
    ['st. helena', 'Saint Helena'],
    ['St Lucia', 'Saint Lucia'],
    ['Trinidad & Tobago', 'Trinidad and Tobago'],
    ['US Virgin', 'U.S. Virgin Islands'],
    ['Keeling', 'Cocos (Keeling) Islands'],
    ['Bonaire', 'Caribbean Netherlands'],
    ['Lao People’s Democratic Republic', 'Laos'],
    ['Vatican', 'Vatican City'],
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
    expect(matchingChoices(countries, '!?')).toEqual([]);
    expect(choiceFor(countries, '!?')).toBe('');
  });
});
