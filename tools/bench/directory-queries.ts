import { DIRECTORY_SORTS, type DirectorySort } from '@shortlist/contracts/api/directory';
import { days } from '@shortlist/contracts/durations';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
// Cursors of far pages, which requests would reach only page by page.
import { encodeCursor, listKeyOf } from '@shortlist/profile/directory/cursor';
import { type SeedUser, seedUserAt } from '../../harness/seed-users.ts';

/** Returns the query string of the user list for one round of a kind of query. */
export type QueryAt = (round: number) => string;
type Population = { count: number; now: Date };

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** Returns a different user each round, spread over the whole population. */
const sampleUser = (population: Population, round: number): SeedUser =>
  seedUserAt(Math.floor((((round * 0.618 + 0.31) % 1) * population.count) / 5) * 5, population);

const VALUES: Record<(typeof DIRECTORY_SORTS)[number], (user: SeedUser) => string[]> = {
  createdAt: ({ createdAt }) => [createdAt.toISOString().slice(0, 23).replace('T', ' ')],
  name: ({ firstName, lastName }) => [firstName, lastName],
  email: ({ email }) => [email],
  organizationName: ({ organizationName }) => [organizationName],
  country: ({ country }) => [country],
};

const encode = (query: Record<string, string>): string => new URLSearchParams(query).toString();

/** The page after a user anywhere in the list, by a cursor. */
const deepPage =
  (population: Population, name: (typeof DIRECTORY_SORTS)[number], sign: '' | '-'): QueryAt =>
  (round) => {
    const user = sampleUser(population, round);
    const sort: DirectorySort = `${sign}${name}`;
    return encode({
      sort,
      cursor: encodeCursor({ values: VALUES[name](user), id: user.id }, listKeyOf({ sort })),
    });
  };

const pages = (population: Population): [string, QueryAt][] =>
  DIRECTORY_SORTS.flatMap((name) =>
    (['', '-'] as const).flatMap((sign): [string, QueryAt][] => [
      [`first page by ${sign}${name}`, () => encode({ sort: `${sign}${name}` })],
      [`deep page by ${sign}${name}`, deepPage(population, name, sign)],
    ]),
  );

const searches = (population: Population): Record<string, (round: number) => string> => {
  const word = (round: number, read: (user: SeedUser) => string, at = 0): string =>
    read(sampleUser(population, round)).split(' ')[at] ?? '';
  const organization = ({ organizationName }: SeedUser): string => organizationName;
  return {
    'first name': (round) => word(round, ({ firstName }) => firstName),
    'first and last name': (round) =>
      `${word(round, ({ firstName }) => firstName)} ${word(round, ({ lastName }) => lastName)}`,
    'rare last name': (round) => word(round, ({ lastName }) => lastName, 1),
    'beginning of a rare last name': (round) => word(round, ({ lastName }) => lastName, 1).slice(0, 5),
    'word of an organisation': (round) => word(round, organization),
    'two words of an organisation': (round) => `${word(round, organization)} ${word(round, organization, 1)}`,
    'whole organisation': (round) => organization(sampleUser(population, round)),
    'whole address': (round) => sampleUser(population, round).email,
    'beginning of an address': (round) => sampleUser(population, round).email.split('.')[0] ?? '',
    'word of every user': () => 'shortlist',
    'common and rare word': (round) => `shortlist ${word(round, ({ lastName }) => lastName, 1)}`,
    'one letter': (round) => ALPHABET[round % ALPHABET.length] ?? 'a',
    'two letters': (round) => word(round, ({ firstName }) => firstName).slice(0, 2),
    'unknown word': (round) => `zzzz${round}`,
    'common and unknown word': (round) => `talent zzzz${round}`,
  };
};

const country = (round: number): string => COUNTRIES[(round * 37) % COUNTRIES.length] ?? 'Norway';

const joined = ({ now }: Population, length: number): ((round: number) => Record<string, string>) => {
  return (round) => {
    const from = now.getTime() - days(length + 30 + ((round * 29) % (730 - length - 30)));
    return {
      joinedFrom: new Date(from).toISOString(),
      joinedTo: new Date(from + days(length)).toISOString(),
    };
  };
};

type Filter = (round: number) => Record<string, string>;

const filters = (population: Population): Record<string, Filter> => ({
  premium: () => ({ plan: 'premium' }),
  free: () => ({ plan: 'free' }),
  country: (round) => ({ country: country(round) }),
  'joined on one day': joined(population, 1),
  'joined in one month': joined(population, 30),
  'joined in one year': joined(population, 365),
  'premium, country': (round) => ({ plan: 'premium', country: country(round) }),
  'free, country, month': (round) => ({
    plan: 'free',
    country: country(round),
    ...joined(population, 30)(round),
  }),
  'premium, year': (round) => ({ plan: 'premium', ...joined(population, 365)(round) }),
  'premium, country, day': (round) => ({
    plan: 'premium',
    country: country(round),
    ...joined(population, 1)(round),
  }),
});

/** Every filter with every search that matches many users, in an order that no filter has an index for. */
const combinations = (population: Population): [string, QueryAt][] => {
  const common = ['first name', 'first and last name', 'two words of an organisation', 'one letter'];
  return common.flatMap((search) =>
    Object.entries(filters(population)).map(([name, filter]): [string, QueryAt] => [
      `${search}; ${name}; by email`,
      (round) =>
        encode({ search: searches(population)[search]?.(round) ?? '', ...filter(round), sort: 'email' }),
    ]),
  );
};

/** Every kind of query that the list supports. */
export const directoryQueries = (population: Population): [string, QueryAt][] => [
  ...pages(population),
  ...Object.entries(searches(population)).flatMap(([name, search]): [string, QueryAt][] => [
    [name, (round) => encode({ search: search(round) })],
    [`${name}; by -name`, (round) => encode({ search: search(round), sort: '-name' })],
  ]),
  ...Object.entries(filters(population)).flatMap(([name, filter]): [string, QueryAt][] => [
    [name, (round) => encode(filter(round))],
    [`${name}; by organizationName`, (round) => encode({ ...filter(round), sort: 'organizationName' })],
  ]),
  ...combinations(population),
];
