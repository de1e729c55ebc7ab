import { type ChildCommand, startChild } from '../host/child.ts';
import { StartError } from '../host/errors.ts';
import { displayPath } from '../host/log-file.ts';
import { lastLogMessage } from './log-problem.ts';
import {
  capitalize,
  describeExit,
  waitForReady,
  type WaitLimits,
  type WaitOptions,
} from './wait-for-ready.ts';

type Program = ChildCommand & { name: string };

/** A download over a slow line may take longer than other waits; it shows activity as long as data arrives. */
export const DOWNLOAD_LIMITS: Partial<WaitLimits> = { limitMs: 60 * 60_000, idleLimitMs: 5 * 60_000 };

/** Runs a program that may take long to its end. Throws a `StartError` when it fails or hangs; its output is in its log. */
export const runProgram = async (program: Program, options: WaitOptions = {}): Promise<void> => {
  const child = startChild(program);
  const check = (): Promise<string | null> => Promise.resolve(child.exit() === null ? 'still running' : null);
  // The end of the program is the success of this wait, so the wait does not see it as an exit.
  const target = { name: program.name, check, child: { ...child, exit: () => null } };
  try {
    await waitForReady([target], options);
  } catch (error) {
    await child.stop(2_000);
    throw error;
  }
  const exit = await child.exited;
  if (exit === 0) return;
  throw new StartError(
    `${capitalize(program.name)} failed (${describeExit(exit)}): ${lastLogMessage(child.log())}. Its log: ${displayPath(child.logFile)}`,
  );
};
