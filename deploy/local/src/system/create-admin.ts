import { join } from 'node:path';
import type { Print } from '../host/print.ts';
import { runProgram } from '../waiting/run-program.ts';
import type { ProcessPlan } from './processes.ts';

type AdminOptions = {
  root: string;
  logDirectory: string;
  identity: ProcessPlan;
  email: string;
  password: string;
  /** Of a new admin; an owner unless given. */
  role?: string;
  /** Also removes the second factors of an existing admin. */
  removeFactors?: boolean;
  print: Print;
  signal?: AbortSignal;
};

/** Runs identity's admin command; it leaves an existing account unchanged. */
export const createAdmin = async (options: AdminOptions): Promise<void> => {
  const { root, logDirectory, identity, email, password, role, removeFactors = false } = options;
  const { print, signal } = options;
  const program = {
    name: 'the admin command',
    command: process.execPath,
    args: [join(root, 'services/identity/src/admin.ts')],
    env: {
      ...{ ...identity.env, ADMIN_EMAIL: email, ADMIN_PASSWORD: password },
      ...(role ? { ADMIN_ROLE: role } : {}),
      ...(removeFactors ? { ADMIN_REMOVE_FACTORS: 'yes' } : {}),
    },
    cwd: root,
    logFile: join(logDirectory, 'admin.log'),
  };
  await runProgram(program, { print, signal });
};
