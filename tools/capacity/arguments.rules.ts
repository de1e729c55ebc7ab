// The arguments of `make capacity`, as words of the form name=value.
import type { Usage } from './capacity.rules.ts';

/** Its message tells the user what to change. */
export class ArgumentError extends Error {}

type Argument = { field: keyof Usage; meaning: string; initial: number | null; min: number; max: number };

const ARGUMENTS: Record<string, Argument> = {
  premium: {
    field: 'premiumShare',
    meaning: 'share of users with a subscription',
    initial: 0.1,
    min: 0,
    max: 1,
  },
  logins: {
    field: 'logInsPerUserAndDay',
    meaning: 'log-ins of a user a day',
    initial: 0.3,
    min: 0,
    max: 100,
  },
  charges: {
    field: 'chargesPerUserAndDay',
    meaning: 'charges of a user a day, on average of all users',
    initial: 1,
    min: 0,
    max: 10_000,
  },
  peak: {
    field: 'peakFactor',
    meaning: 'the busiest hour compared with an average one',
    initial: 4,
    min: 1,
    max: 24,
  },
  signups: {
    field: 'signUpShare',
    meaning: 'new users a month, as a share of all',
    initial: 0.05,
    min: 0,
    max: 1,
  },
  churn: {
    field: 'churnShare',
    meaning: 'share of subscriptions that end in a month',
    initial: 0.05,
    min: 0,
    max: 1,
  },
  reads: {
    field: 'readsPerLogIn',
    meaning: 'session checks, and reads of the credits, of a log-in',
    initial: 5,
    min: 0,
    max: 10_000,
  },
  firstday: {
    field: 'firstDayShare',
    meaning: 'share of renewals due on the first day of a month',
    initial: 0.1,
    min: 0,
    max: 1,
  },
  months: { field: 'months', meaning: 'months that the product has run', initial: 12, min: 1, max: 600 },
  stripe: {
    field: 'stripeCallsPerSecond',
    meaning: 'calls a second to Stripe (STRIPE_CALLS_PER_SECOND)',
    initial: 80,
    min: 1,
    max: 10_000,
  },
  hash: {
    field: 'hashMs',
    meaning: 'ms of a hash on your processors (make bench b=cost); else those of the measured machine',
    initial: null,
    min: 1,
    max: 1_000,
  },
};

const SIZES: readonly number[] = [10_000, 100_000, 1_000_000, 10_000_000];
const USERS_MAX = 1_000_000_000;

/** Returns a line for each argument. */
export const describeArguments = (): string[] => [
  `  users     number of users; without it ${SIZES.map((size) => size.toLocaleString('en')).join(', ')}`,
  ...Object.entries(ARGUMENTS).map(
    ([name, { meaning, initial }]) =>
      `  ${name.padEnd(9)} ${meaning}${initial === null ? '' : ` (${initial})`}`,
  ),
];

const readNumber = (name: string, text: string, { min, max }: { min: number; max: number }): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= min && value <= max) return value;
  throw new ArgumentError(`${name} must be a number from ${min} to ${max}, not '${text}'`);
};

/** Returns the usage for each number of users. Throws an ArgumentError for a word that is unknown, repeated or out of range. */
export const readUsages = (words: readonly string[]): Usage[] => {
  const values: Record<string, number | null> = Object.fromEntries(
    Object.values(ARGUMENTS).map(({ field, initial }) => [field, initial]),
  );
  const seen = new Set<string>();
  let sizes = SIZES;
  for (const word of words) {
    const [, name = '', text = ''] = /^([a-z]+)=(.*)$/.exec(word) ?? [];
    const argument = Object.hasOwn(ARGUMENTS, name) ? ARGUMENTS[name] : undefined;
    if (name !== 'users' && argument === undefined) throw new ArgumentError(`unknown argument '${word}'`);
    if (seen.has(name)) throw new ArgumentError(`${name} is given twice`);
    seen.add(name);
    if (argument === undefined) sizes = [readNumber(name, text, { min: 1, max: USERS_MAX })];
    else values[argument.field] = readNumber(name, text, argument);
  }
  return sizes.map((users) => ({ ...values, users }) as Usage);
};
