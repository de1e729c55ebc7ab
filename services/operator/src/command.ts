// What a command of the operator program consists of. The program reads the arguments, so a command sees only valid ones.
import type { Clock } from '@shortlist/kit/process/clock';
import type { Environment } from '@shortlist/kit/process/config';
import type { Terminal } from './terminal.ts';

/** The processes that have an image. */
export type Image = 'bff' | 'identity' | 'profile' | 'billing' | 'credits' | 'worker';

/** The exit codes of the program; docs/operating.md explains them. */
export const EXIT = { done: 0, failed: 1, usage: 2, incomplete: 3, timedOut: 124 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export type Option = { type: 'boolean' | 'string'; about: string };
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export type Invocation = {
  /** The positional arguments; a missing optional one is undefined. */
  words: readonly string[];
  options: OptionValues;
  env: Environment;
  clock: Clock;
  terminal: Terminal;
};

export type Action = {
  /** Empty for the only action of a command. */
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

/** Options that several actions have. */
export const JSON_OPTION = { json: { type: 'boolean', about: 'prints JSON' } } as const;
export const YES_OPTION = { yes: { type: 'boolean', about: 'confirms without a question' } } as const;
