import { join } from 'node:path';
import { StartFailure } from './errors.ts';
import type { ProcessPlan } from './processes.ts';
import { lastLines, run } from './programs.ts';

const LIMIT_MS = 30_000;

type Admin = { root: string; identity: ProcessPlan; email: string; password: string };

/** Runs the command by which an operator makes an administrator; an account that is there stays as it is. */
export const createAdmin = async ({ root, identity, email, password }: Admin): Promise<void> => {
  const env = { ...identity.env, ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
  const script = join(root, 'services/identity/src/admin.ts');
  const { ok, output } = await run(process.execPath, [script], { env, cwd: root, timeoutMs: LIMIT_MS });
  if (!ok) throw new StartFailure(`The admin could not be created:\n${lastLines(output, 10)}`);
};
