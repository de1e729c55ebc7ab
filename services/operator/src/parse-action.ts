import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Action, type Command, type OptionValues, UsageError } from './command.ts';

export type ParsedAction = {
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
  throw new UsageError(name === undefined ? `One of ${names} is missing.` : `${name} is none of ${names}.`);
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
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 86_400)
    throw new UsageError('--timeout takes whole seconds, from 1 to 86400.');
  return seconds;
};

/** Finds the action of a command and reads its arguments. Throws a `UsageError` for whatever the action does not declare. */
export const parseAction = (command: Command, args: string[]): ParsedAction => {
  const [first] = args;
  const action = findAction(command, first?.startsWith('-') ? undefined : first);
  const { values, positionals } = parse(action, action.name === '' ? args : args.slice(1));
  checkWords(action, positionals);
  const { timeout, ...options } = values;
  return { action, words: positionals, options, timeoutSeconds: secondsOf(timeout, action.timeoutSeconds) };
};
