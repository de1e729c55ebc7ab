import { CATALOGUE, type CommandName, imagesOf, isCommandName } from './catalogue.ts';
import type { Action, Command, Image } from './command.ts';

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
