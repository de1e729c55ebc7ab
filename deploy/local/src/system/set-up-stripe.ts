import { join } from 'node:path';
import type { Print } from '../host/print.ts';
import { runProgram } from '../waiting/run-program.ts';
import { operatorScript, type ProcessPlan } from './processes.ts';

type SetUpOptions = {
  root: string;
  logDirectory: string;
  billing: ProcessPlan;
  print: Print;
  signal?: AbortSignal;
};

/** Runs billing's command that creates the price, the portal configuration and the webhook endpoint an account lacks. */
export const setUpStripe = async (options: SetUpOptions): Promise<void> => {
  const { root, logDirectory, billing, print, signal } = options;
  const program = {
    name: 'the set-up of the sandbox',
    command: process.execPath,
    args: [join(root, operatorScript('billing')), 'stripe-check', '--apply'],
    env: billing.env,
    cwd: root,
    logFile: join(logDirectory, 'stripe-setup.log'),
  };
  await runProgram(program, { print, signal });
};
