// The operator program, `shortlist <command> …`. Each image contains it, with the commands whose variables its process has.
import type { BringBack } from './commands/restored.ts';
import { seconds } from '@shortlist/contracts/durations';
import { type Clock, withTimeout } from '@shortlist/kit/process/clock';
import type { Environment } from '@shortlist/kit/process/config';
import {
  type Command,
  type CommandName,
  commandUsage,
  EXIT,
  type ExitCode,
  type Image,
  imagesOf,
  isCommandName,
  parseAction,
  programUsage,
  UsageError,
} from './command.ts';
import type { Schema } from './service-db.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** Each command is imported when it runs, so that the clients of others are not loaded. */
export type Commands = Partial<Record<CommandName, () => Promise<Command>>>;
export type OperatorProgram = { image: Image; commands: Commands };

/**
 * The commands of several images. `loadSchema`: loads the schema of the image's database. `loadBringBack`: loads what the image brings back after
 * its database was set back, if it does.
 */
export const sharedCommands = (
  image: Image,
  loadSchema: () => Promise<Schema>,
  loadBringBack?: () => Promise<BringBack>,
) =>
  ({
    dead: async () => (await import('./commands/dead.ts')).deadCommand(image),
    verify: async () => (await import('./commands/verify.ts')).verifyCommand(image),
    outbox: async () => (await import('./commands/outbox.ts')).outboxCommand(image, await loadSchema()),
    restored: async () => {
      const { restoredCommand } = await import('./commands/restored.ts');
      return restoredCommand(image, await loadSchema(), await loadBringBack?.());
    },
    migrate: async () => (await import('./commands/migrate.ts')).migrateCommand(image, await loadSchema()),
  }) satisfies Commands;
type Surroundings = { env: Environment; clock: Clock };
export type Run = Surroundings & { args: string[]; terminal: Terminal };

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h' || word === 'help';

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // If several addresses refused a connection, the error has a code but no message.
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
};

const perform = async (command: Command, { args, ...rest }: Run): Promise<ExitCode> => {
  const { action, words, options, timeoutSeconds } = parseAction(command, args);
  const timedOut = () => new TimeoutError(`not finished after ${timeoutSeconds} s`);
  const signal = AbortSignal.timeout(seconds(timeoutSeconds));
  return withTimeout(action.run({ words, options, signal, ...rest }), seconds(timeoutSeconds), timedOut);
};

const runCommand = async (name: CommandName, command: Command, run: Run): Promise<ExitCode> => {
  const { args, terminal } = run;
  if (args.some(isHelp)) {
    terminal.print(commandUsage(name, command));
    return EXIT.done;
  }
  try {
    return await perform(command, run);
  } catch (error) {
    terminal.printError(`shortlist ${name}: ${messageOf(error)}`);
    if (error instanceof UsageError) terminal.printError(commandUsage(name, command));
    if (error instanceof UsageError) return EXIT.usage;
    return error instanceof TimeoutError ? EXIT.timedOut : EXIT.failed;
  }
};

/** Runs the operator program with these arguments and returns the exit code without ending the process. */
export const runArguments = async ({ image, commands }: OperatorProgram, run: Run): Promise<ExitCode> => {
  const { terminal } = run;
  const [name, ...args] = run.args;
  if (isHelp(name)) {
    terminal.print(programUsage(image));
    return EXIT.done;
  }
  if (name === undefined || !isCommandName(name)) {
    terminal.printError(name === undefined ? 'The command is missing.' : `There is no command ${name}.`);
    terminal.printError(programUsage(image));
    return EXIT.usage;
  }
  const load = commands[name];
  if (load) return runCommand(name, await load(), { ...run, args });
  const images = imagesOf(name).join(', ');
  terminal.printError(`shortlist ${name} is in the image of ${images}, and this is the image of ${image}.`);
  return EXIT.usage;
};

/** Runs the operator program with the arguments of this process, and ends the process. */
export const runProgram = async (program: OperatorProgram, surroundings: Surroundings): Promise<never> => {
  const args = process.argv.slice(2);
  // Connections that a command did not close must not keep the program alive.
  process.exit(await runArguments(program, { ...surroundings, args, terminal: openTerminal() }));
};
