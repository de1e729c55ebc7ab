import type { Clock } from '@shortlist/kit/process/clock';
import { type OperatorProgram, runArguments } from '../program.ts';
import type { Terminal } from '../terminal.ts';

export type Run = { code: number; stdout: string; stderr: string };
export type Surroundings = { env?: Record<string, string>; input?: string };

/** A terminal without a screen: output is collected, and questions are refused. */
const createTerminal = (input: string) => {
  const printed = { stdout: '', stderr: '' };
  const terminal: Terminal = {
    print: (line) => void (printed.stdout += `${line}\n`),
    printError: (line) => void (printed.stderr += `${line}\n`),
    isInteractive: false,
    isScreen: false,
    confirm: () => Promise.reject(new Error('no terminal')),
    readSecret: () => Promise.resolve(input.split('\n')[0] ?? ''),
  };
  return { terminal, printed };
};

/** Runs an operator program in the test's process with only this environment; `input` is its standard input. */
export const runInProcess = async (
  program: OperatorProgram,
  args: string[],
  { env = {}, input = '', clock }: Surroundings & { clock: Clock },
): Promise<Run> => {
  const { terminal, printed } = createTerminal(input);
  const code = await runArguments(program, { args, env, terminal, clock });
  return { code, ...printed };
};
