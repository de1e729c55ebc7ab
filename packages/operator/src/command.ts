// The parts of a command of the operator program. The program parses the arguments, so a command gets only valid ones.
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { days, inSeconds } from '@shortlist/contracts/durations';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Environment } from '@shortlist/kit/process/config';
import type { Terminal } from './terminal.ts';

/** The processes that have an image, and the image of the tools for backups. */
export type Image = 'bff' | 'identity' | 'profile' | 'billing' | 'credits' | 'worker' | 'backup';

/** The exit codes of the program; docs/operating.md explains them. */
export const EXIT = { done: 0, failed: 1, usage: 2, incomplete: 3, timedOut: 124 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

type Option = { type: 'boolean' | 'string'; about: string };
type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export type Invocation = {
  /** The positional arguments; a missing optional one is undefined. */
  words: readonly string[];
  options: OptionValues;
  env: Environment;
  clock: Clock;
  terminal: Terminal;
  /** Aborts when the time limit of the command has passed. */
  signal: AbortSignal;
};

export type Action = {
  /** Empty if the command has only one action. */
  name: string;
  about: string;
  /** The positional arguments; an optional one ends with `?`. */
  words: readonly string[];
  options: Readonly<Record<string, Option>>;
  timeoutSeconds: number;
  run: (invocation: Invocation) => Promise<ExitCode>;
};

export type Command = { actions: readonly Action[] };

/** The arguments are wrong: the program prints the message with the usage and ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An option of several actions. */
export const JSON_OPTION = { json: { type: 'boolean', about: 'prints JSON' } } as const;
export const YES_OPTION = { yes: { type: 'boolean', about: 'confirms without a question' } } as const;

type ParsedAction = {
  action: Action;
  words: string[];
  options: OptionValues;
  timeoutSeconds: number;
};

const findAction = ({ actions }: Command, name: string | undefined): Action => {
  const named = actions.find((action) => action.name === name);
  const found = named ?? actions.find((action) => action.name === '');
  if (found) return found;
  const names = actions.map((action) => action.name).join(', ');
  throw new UsageError(
    name === undefined ? `One of ${names} is missing.` : `${name} is not one of ${names}.`,
  );
};

type Parsed = { values: OptionValues; positionals: string[] };

const parse = (action: Action, args: string[]): Parsed => {
  const declared = Object.entries(action.options).map(([name, { type }]) => [name, { type }] as const);
  const options: NonNullable<ParseArgsConfig['options']> = {
    ...Object.fromEntries(declared),
    timeout: { type: 'string' },
  };
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    return { values: values as OptionValues, positionals }; // no option is declared as multiple
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

const checkWords = ({ words }: Action, positionals: string[]): void => {
  const required = words.filter((word) => !word.endsWith('?'));
  const missing = required[positionals.length];
  if (missing !== undefined) throw new UsageError(`The ${missing} is missing.`);
  const unexpected = positionals[words.length];
  if (unexpected !== undefined) throw new UsageError(`${unexpected} is not expected.`);
};

const secondsOf = (value: string | boolean | undefined, fallback: number): number => {
  if (value === undefined) return fallback;
  const seconds = Number(value);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > inSeconds(days(1)))
    throw new UsageError('--timeout takes whole seconds, from 1 to 86400.');
  return seconds;
};

/** Finds the action of a command and reads its arguments. Throws a `UsageError` for anything that the action does not declare. */
export const parseAction = (command: Command, args: string[]): ParsedAction => {
  const [first] = args;
  const action = findAction(command, first?.startsWith('-') ? undefined : first);
  const { values, positionals } = parse(action, action.name === '' ? args : args.slice(1));
  checkWords(action, positionals);
  const { timeout, ...options } = values;
  return { action, words: positionals, options, timeoutSeconds: secondsOf(timeout, action.timeoutSeconds) };
};

type Entry = { about: string; images: readonly Image[] };

const WITH_DATABASE = ['identity', 'profile', 'billing', 'credits', 'worker'] as const;

/** Every command, and the images that contain it: a command needs the variables and the code of its process. */
export const CATALOGUE = {
  dead: {
    about: "lists, shows, replays and settles this service's dead letters",
    images: ['profile', 'billing', 'credits', 'worker', 'bff'],
  },
  'stripe-inbox': { about: 'lists and replays unsettled events of Stripe', images: ['billing'] },
  outbox: {
    about: 'publishes events of this service again',
    images: ['identity', 'profile', 'billing', 'credits'],
  },
  restored: {
    about: 'brings a service up to date after its database was set back',
    images: WITH_DATABASE,
  },
  accounts: {
    about: 'brings accounts back that identity has lost, from what profile knows',
    images: ['worker'],
  },
  verify: { about: 'checks the invariants of the data', images: [...WITH_DATABASE, 'bff'] },
  admin: { about: 'creates an admin, or recovers the access of one', images: ['identity'] },
  tool: { about: 'registers and disables tools that users connect', images: ['identity'] },
  factors: { about: 'encrypts the secrets of factors and webhooks with a new key', images: ['identity'] },
  emails: { about: 'finds accounts of one mailbox in several spellings', images: ['identity'] },
  migrate: { about: "migrates this service's database", images: WITH_DATABASE },
  revenue: {
    about: 'completes the movements of revenue and compares them with Stripe',
    images: ['billing'],
  },
  'stripe-check': { about: 'checks the account at Stripe', images: ['billing'] },
  backup: { about: 'backs up the databases, lists the backups and tries the newest', images: ['backup'] },
  restore: { about: 'brings databases back to an instant', images: ['backup'] },
} as const satisfies Record<string, Entry>;

export type CommandName = keyof typeof CATALOGUE;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(CATALOGUE, name);

export const imagesOf = (name: CommandName): readonly Image[] => CATALOGUE[name].images;

const EXIT_CODES =
  'Exit codes: 0 done; 1 failed, or a check found a problem; 2 wrong arguments; 3 not everything could be checked; 124 timed out.';

const column = (text: string): string => `  ${text.padEnd(28)}`;

/** The usage of the program in one image. */
export const programUsage = (image: Image): string => {
  const names = Object.keys(CATALOGUE).filter(isCommandName);
  const here = names.filter((name) => imagesOf(name).includes(image));
  const elsewhere = names.filter((name) => !imagesOf(name).includes(image));
  return [
    'Usage: shortlist <command> [arguments] [options]',
    '',
    `Commands in the image of ${image}:`,
    ...here.map((name) => `${column(name)}${CATALOGUE[name].about}`),
    ...(elsewhere.length === 0 ? [] : ['', 'Commands in other images:']),
    ...elsewhere.map((name) => `${column(name)}in ${imagesOf(name).join(', ')}`),
    '',
    'shortlist <command> --help describes a command.',
    EXIT_CODES,
  ].join('\n');
};

const placeholder = (word: string): string => (word.endsWith('?') ? `[<${word.slice(0, -1)}>]` : `<${word}>`);

const lineOf = (name: CommandName, action: Action): string =>
  ['shortlist', name, action.name, ...action.words.map(placeholder)].filter(Boolean).join(' ');

const optionLines = (action: Action): string[] =>
  Object.entries(action.options).map(
    ([option, { type, about }]) =>
      `    ${`--${option}${type === 'string' ? ' <value>' : ''}`.padEnd(26)}${about}`,
  );

/** The usage of one command with its actions and options. */
export const commandUsage = (name: CommandName, { actions }: Command): string =>
  [
    'Usage:',
    ...actions.flatMap((action) => [
      `  ${lineOf(name, action)}`,
      `    ${action.about}`,
      ...optionLines(action),
      `    ${'--timeout <seconds>'.padEnd(26)}ends after this time, with code 124; default ${action.timeoutSeconds}`,
    ]),
  ].join('\n');

/** Returns whether the operator confirms a change of many rows, by `--yes` or on a terminal. Throws a `UsageError` if neither is available. */
export const isConfirmed = async (
  { options, terminal }: Pick<Invocation, 'options' | 'terminal'>,
  question: string,
): Promise<boolean> => {
  if (options['yes'] === true) return true;
  if (terminal.isInteractive) return terminal.confirm(question);
  throw new UsageError('Without a terminal, --yes must confirm this.');
};
