import { type Invocation, UsageError } from './command.ts';

/** Returns whether the operator confirms a change of many rows, by `--yes` or on a terminal. Throws a `UsageError` without either. */
export const isConfirmed = async (
  { options, terminal }: Pick<Invocation, 'options' | 'terminal'>,
  question: string,
): Promise<boolean> => {
  if (options['yes'] === true) return true;
  if (terminal.isInteractive) return terminal.confirm(question);
  throw new UsageError('Without a terminal, --yes must confirm this.');
};
