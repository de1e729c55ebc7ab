import { days } from '@shortlist/contracts/durations';
import { COUNTRIES, INDUSTRIES, ORGANIZATION_TYPES } from '@shortlist/contracts/option-lists';

const FIRST =
  'Amara Ingrid Tomas Mei Kwame Sofia Rahul Claire Yusuf Elena Jonas Aisha Mateo Hana Oluwaseun Priya Liam Noor Diego Freya Kenji Zofia Omar Lucia Bram Thandi Arjun Maeve Pavel Ximena'.split(
    ' ',
  );
const LAST =
  'Okafor Solberg Ferreira Chow Mensah Lindqvist Deshpande Dubois Demir Petrova Weber Khan Silva Sato Adeyemi Sharma Byrne Haddad Torres Nilsson Tanaka Kowalska Farouk Romero Visser Dlamini Mehta Kelly Novak Vargas'.split(
    ' ',
  );
const FIRM =
  'Talent Field Nordlys Lisboa Harbourline Accra Kvarn Monsoon Atelier Bosphorus Summit Beacon Orchard Granite Cobalt Juniper Meridian Foundry Lantern Compass Anchor'.split(
    ' ',
  );
const KIND = 'Labs Recruiting Search People Partners Staffing Group Hiring Works Collective'.split(' ');

const pick = <T>(list: readonly T[], seed: number): T => list[seed % list.length] as T;
/** Spreads adjacent numbers over the whole range (Knuth's multiplicative hash). */
const spread = (index: number, salt: number): number => Math.imul(index + salt, 2_654_435_761) >>> 4;

const SYLLABLES = 'ba ce di fo gu ha ji ko lu ma ne pi ro su ta ve wi xo ya zu'.split(' ');
const rareWord = (index: number): string =>
  [0, 1, 2, 3].map((at) => pick(SYLLABLES, Math.floor(spread(index, 77) / SYLLABLES.length ** at))).join('');

const uuidFor = (time: number, index: number): string => {
  const hex = time.toString(16).padStart(12, '0');
  const tail = index.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${(index % 4096).toString(16).padStart(3, '0')}-8000-${tail}`;
};

export type SeedUser = ReturnType<typeof seedUserAt>;

/**
 * Returns user number `index` of `count`, registered in that order over two years up to `now`; every eighth is premium. The same index
 * gives the same user, so that a seeded database can be reproduced.
 */
export const seedUserAt = (index: number, { count, now }: { count: number; now: Date }) => {
  const createdAt = new Date(now.getTime() - Math.floor(days(((count - index) / count) * 730)));
  const firstName = pick(FIRST, spread(index, 1));
  const lastName = `${pick(LAST, spread(index, 2))}${index % 5 === 0 ? ` ${rareWord(index)}` : ''}`;
  const organizationName = `${pick(FIRM, spread(index, 3))} ${pick(KIND, spread(index, 4))} ${spread(index, 5) % 5000}`;
  return {
    id: uuidFor(createdAt.getTime(), index),
    email: `${firstName}.${lastName.replace(' ', '.')}.${index}@seed.shortlist.test`.toLowerCase(),
    firstName,
    lastName,
    organizationName,
    typeOfOrganization: pick(ORGANIZATION_TYPES, index),
    primaryRecruitingIndustry: pick(INDUSTRIES, spread(index, 6)),
    country: pick(COUNTRIES, spread(index, 7)),
    city: 'Capital',
    createdAt,
    premiumUntil: index % 8 === 0 ? new Date(now.getTime() + days(1 + (index % 30))) : null,
  };
};
