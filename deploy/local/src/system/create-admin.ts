import { join } from 'node:path';
import type { Print } from '../host/print.ts';
import { runProgram } from '../waiting/run-program.ts';
import { operatorScript, type ProcessPlan } from './processes.ts';

type AdminOptions = {
  root: string;
  logDirectory: string;
  identity: ProcessPlan;
  email: string;
  password: string;
  print: Print;
  signal?: AbortSignal;
};

/** Runs identity's operator program; it leaves an existing account unchanged. */
export const createAdmin = async (options: AdminOptions): Promise<void> => {
  const { root, logDirectory, identity, email, password, print, signal } = options;
  const program = {
    name: 'the admin command',
    command: process.execPath,
    args: [join(root, operatorScript('identity')), 'admin', 'create'],
    env: { ...identity.env, ADMIN_EMAIL: email, ADMIN_PASSWORD: password },
    cwd: root,
    logFile: join(logDirectory, 'admin.log'),
  };
  await runProgram(program, { print, signal });
};
