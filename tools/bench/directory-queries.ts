import { DIRECTORY_SORTS, type DirectorySort } from '@shortlist/contracts/api/public';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { encodeCursor } from '@shortlist/profile/directory/cursor.rules';
import { personAt, type Person } from '../seed/people.ts';

/** What an admin asks in one round of a kind of question: the query string of the list's door. */
export type Question = (round: number) => string;
type Crowd = { count: number; now: Date };

const DAY_MS = 86_400_000;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** Somebody in the crowd, another one each round, everywhere from the first to the last who came. */
const someone = (crowd: Crowd, round: number): Person =>
  personAt(Math.floor((((round * 0.618 + 0.31) % 1) * crowd.count) / 5) * 5, crowd);

const VALUES: Record<(typeof DIRECTORY_SORTS)[number], (person: Person) => string[]> = {
  createdAt: ({ createdAt }) => [createdAt.toISOString().slice(0, 23).replace('T', ' ')],
  name: ({ firstName, lastName }) => [firstName, lastName],
  email: ({ email }) => [email],
  organizationName: ({ organizationName }) => [organizationName],
  country: ({ country }) => [country],
};

const ask = (query: Record<string, string>): string => new URLSearchParams(query).toString();

/** The page after a person who is anywhere in the list, as its cursor names them. */
const deepPage =
  (crowd: Crowd, name: (typeof DIRECTORY_SORTS)[number], sign: '' | '-'): Question =>
  (round) => {
    const person = someone(crowd, round);
    const sort: DirectorySort = `${sign}${name}`;
    return ask({ sort, cursor: encodeCursor({ values: VALUES[name](person), id: person.id }) });
  };

const pages = (crowd: Crowd): [string, Question][] =>
  DIRECTORY_SORTS.flatMap((name) =>
    (['', '-'] as const).flatMap((sign): [string, Question][] => [
      [`first page by ${sign}${name}`, () => ask({ sort: `${sign}${name}` })],
      [`deep page by ${sign}${name}`, deepPage(crowd, name, sign)],
    ]),
  );

const searches = (crowd: Crowd): Record<string, (round: number) => string> => {
  const word = (round: number, read: (person: Person) => string, at = 0): string =>
    read(someone(crowd, round)).split(' ')[at] ?? '';
  const organization = ({ organizationName }: Person): string => organizationName;
  return {
    'first name': (round) => word(round, ({ firstName }) => firstName),
    'first and last name': (round) =>
      `${word(round, ({ firstName }) => firstName)} ${word(round, ({ lastName }) => lastName)}`,
    'rare last name': (round) => word(round, ({ lastName }) => lastName, 1),
    'beginning of a rare last name': (round) => word(round, ({ lastName }) => lastName, 1).slice(0, 5),
    'word of an organisation': (round) => word(round, organization),
    'two words of an organisation': (round) => `${word(round, organization)} ${word(round, organization, 1)}`,
    'whole organisation': (round) => organization(someone(crowd, round)),
    'whole address': (round) => someone(crowd, round).email,
    'beginning of an address': (round) => someone(crowd, round).email.split('.')[0] ?? '',
    'word that everybody has': () => 'shortlist',
    'common and rare word': (round) => `shortlist ${word(round, ({ lastName }) => lastName, 1)}`,
    'one letter': (round) => ALPHABET[round % ALPHABET.length] ?? 'a',
    'two letters': (round) => word(round, ({ firstName }) => firstName).slice(0, 2),
    'word that nobody has': (round) => `zzzz${round}`,
    'common word and one that nobody has': (round) => `talent zzzz${round}`,
  };
};

const country = (round: number): string => COUNTRIES[(round * 37) % COUNTRIES.length] ?? 'Norway';

const joined = ({ now }: Crowd, days: number): ((round: number) => Record<string, string>) => {
  return (round) => {
    const from = now.getTime() - (days + 30 + ((round * 29) % (730 - days - 30))) * DAY_MS;
    return {
      joinedFrom: new Date(from).toISOString(),
      joinedTo: new Date(from + days * DAY_MS).toISOString(),
    };
  };
};

type Filter = (round: number) => Record<string, string>;

const filters = (crowd: Crowd): Record<string, Filter> => ({
  premium: () => ({ plan: 'premium' }),
  free: () => ({ plan: 'free' }),
  country: (round) => ({ country: country(round) }),
  'joined on one day': joined(crowd, 1),
  'joined in one month': joined(crowd, 30),
  'joined in one year': joined(crowd, 365),
  'premium, country': (round) => ({ plan: 'premium', country: country(round) }),
  'free, country, month': (round) => ({ plan: 'free', country: country(round), ...joined(crowd, 30)(round) }),
  'premium, year': (round) => ({ plan: 'premium', ...joined(crowd, 365)(round) }),
  'premium, country, day': (round) => ({
    plan: 'premium',
    country: country(round),
    ...joined(crowd, 1)(round),
  }),
});

/** Every filter with every search that leaves many, in an order that no filter favours. */
const combinations = (crowd: Crowd): [string, Question][] => {
  const common = ['first name', 'first and last name', 'two words of an organisation', 'one letter'];
  return common.flatMap((search) =>
    Object.entries(filters(crowd)).map(([name, filter]): [string, Question] => [
      `${search}; ${name}; by email`,
      (round) => ask({ search: searches(crowd)[search]?.(round) ?? '', ...filter(round), sort: 'email' }),
    ]),
  );
};

/** Every kind of question that the list answers. */
export const questionsAbout = (crowd: Crowd): [string, Question][] => [
  ...pages(crowd),
  ...Object.entries(searches(crowd)).flatMap(([name, search]): [string, Question][] => [
    [name, (round) => ask({ search: search(round) })],
    [`${name}; by -name`, (round) => ask({ search: search(round), sort: '-name' })],
  ]),
  ...Object.entries(filters(crowd)).flatMap(([name, filter]): [string, Question][] => [
    [name, (round) => ask(filter(round))],
    [`${name}; by organizationName`, (round) => ask({ ...filter(round), sort: 'organizationName' })],
  ]),
  ...combinations(crowd),
];
