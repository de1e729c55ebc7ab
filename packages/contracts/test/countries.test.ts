import iso from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { withoutAccents } from '../src/unicode.ts';
import { COUNTRIES, COUNTRY_NAMES } from '../src/option-lists.ts';
import { profileFields } from '../src/profile-fields.ts';
import { signupSchema } from '../src/schemas/account.ts';
import { exampleProfile } from './examples.ts';

iso.registerLocale(english);

/** The list that the product was agreed with: profiles have these values. */
const AGREED = `
  Afghanistan, Albania, Algeria, Andorra, Angola, Antigua and Barbuda, Argentina, Armenia, Australia, Austria, Azerbaijan,
  Bahamas, Bahrain, Bangladesh, Barbados, Belarus, Belgium, Belize, Benin, Bhutan, Bolivia, Bosnia and Herzegovina,
  Botswana, Brazil, Brunei, Bulgaria, Burkina Faso, Burundi, Cabo Verde, Cambodia, Cameroon, Canada,
  Central African Republic, Chad, Chile, China, Colombia, Comoros, Congo, Costa Rica, Croatia, Cuba, Cyprus, Czechia,
  Democratic Republic of the Congo, Denmark, Djibouti, Dominica, Dominican Republic, Ecuador, Egypt, El Salvador,
  Equatorial Guinea, Eritrea, Estonia, Eswatini, Ethiopia, Fiji, Finland, France, Gabon, Gambia, Georgia, Germany, Ghana,
  Greece, Grenada, Guatemala, Guinea, Guinea-Bissau, Guyana, Haiti, Honduras, Hungary, Iceland, India, Indonesia, Iran,
  Iraq, Ireland, Israel, Italy, Ivory Coast, Jamaica, Japan, Jordan, Kazakhstan, Kenya, Kiribati, Kuwait, Kyrgyzstan, Laos,
  Latvia, Lebanon, Lesotho, Liberia, Libya, Liechtenstein, Lithuania, Luxembourg, Madagascar, Malawi, Malaysia, Maldives,
  Mali, Malta, Marshall Islands, Mauritania, Mauritius, Mexico, Micronesia, Moldova, Monaco, Mongolia, Montenegro, Morocco,
  Mozambique, Myanmar, Namibia, Nauru, Nepal, Netherlands, New Zealand, Nicaragua, Niger, Nigeria, North Korea,
  North Macedonia, Norway, Oman, Pakistan, Palau, Palestine, Panama, Papua New Guinea, Paraguay, Peru, Philippines, Poland,
  Portugal, Qatar, Romania, Russia, Rwanda, Saint Kitts and Nevis, Saint Lucia, Saint Vincent and the Grenadines, Samoa,
  San Marino, Sao Tome and Principe, Saudi Arabia, Senegal, Serbia, Seychelles, Sierra Leone, Singapore, Slovakia,
  Slovenia, Solomon Islands, Somalia, South Africa, South Korea, South Sudan, Spain, Sri Lanka, Sudan, Suriname, Sweden,
  Switzerland, Syria, Taiwan, Tajikistan, Tanzania, Thailand, Timor-Leste, Togo, Tonga, Trinidad and Tobago, Tunisia,
  Turkey, Turkmenistan, Tuvalu, Uganda, Ukraine, United Arab Emirates, United Kingdom, United States, Uruguay, Uzbekistan,
  Vanuatu, Vatican City, Venezuela, Vietnam, Yemen, Zambia, Zimbabwe`
  .trim()
  .split(/,\s+/);

/** User-assigned codes of ISO 3166-1: Kosovo. */
const USER_ASSIGNED = ['XK'];

/** Compared without accents, case and punctuation. */
const plain = (name: string): string =>
  withoutAccents(name)
    .replace(/[^a-z]+/g, ' ')
    .replace(/^the /, '')
    .trim();
const namesOf = (country: (typeof COUNTRIES)[number]): string[] =>
  [country, ...(COUNTRY_NAMES[country] ?? [])].map(plain);

describe('the countries', () => {
  it('are those of ISO 3166-1, each once, by the standard’s name or another', () => {
    const codes = Object.keys(iso.getAlpha2Codes()).filter((code) => !USER_ASSIGNED.includes(code));
    expect(codes).toHaveLength(249);
    const found = codes.map((code) => {
      const name = plain(iso.getName(code, 'en', { select: 'official' }) ?? code);
      return [code, COUNTRIES.filter((country) => namesOf(country).includes(name))] as const;
    });
    expect(found.filter(([, countries]) => countries.length !== 1)).toEqual([]);
    expect(new Set(found.flatMap(([, countries]) => countries))).toEqual(new Set(COUNTRIES));
    expect(COUNTRIES).toHaveLength(249);
  });

  it('include every name of the agreed list, which stays valid in a profile', () => {
    expect(AGREED).toHaveLength(196);
    for (const country of AGREED) {
      expect(COUNTRIES).toContain(country);
      const input = { ...exampleProfile(), email: 'ana@talent.test', password: 'open sesame', country };
      expect([country, signupSchema.validate(input).error]).toEqual([country, undefined]);
    }
  });

  it('are valid in a profile, and fit its column', () => {
    const { max } = profileFields.find(({ name }) => name === 'country') ?? { max: 0 };
    for (const country of COUNTRIES) {
      const input = { ...exampleProfile(), email: 'ana@talent.test', password: 'open sesame', country };
      expect([country, signupSchema.validate(input).error]).toEqual([country, undefined]);
      expect(country.length).toBeLessThanOrEqual(max);
    }
  });

  it('are in alphabetical order', () => {
    expect(COUNTRIES).toEqual(COUNTRIES.toSorted(new Intl.Collator('en').compare));
  });

  it('have no duplicate names', () => {
    const names = COUNTRIES.flatMap(namesOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
